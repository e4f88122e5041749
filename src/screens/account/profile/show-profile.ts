import { pagesOfferPasskeys } from '../../../config/passkeys.ts'
import { isFieldUsed } from '../../../config/profile-fields.ts'
import type { Context } from '../../../context.ts'
import type { AccountVisit } from '../../../ui/account/account-visit.ts'
import { portraitOf } from '../../../ui/shared/profile.ts'
import { type ProfilePage, profilePage } from './view.ts'

export const profilePath = '/account/profile'
export const phonePath = `${profilePath}/phone`
export const picturePath = `${profilePath}/picture`
export const removePicturePath = `${picturePath}/remove`

export function showProfile(
  ctx: Context,
  { area, profile, sign, show }: AccountVisit,
  more: Pick<ProfilePage, 'done' | 'refused'>,
  status?: number,
) {
  const data = {
    area,
    profile,
    forms: {
      profile: sign(profilePath),
      phone: sign(phonePath),
      picture: sign(picturePath),
      removePicture: sign(removePicturePath),
    },
    portrait: portraitOf(ctx.config, profile.user),
    pictures: ctx.files.kind === 'off' ? undefined : { maxBytes: ctx.config.UPLOAD_MAX_BYTES },
    isShown: (name: string) => isFieldUsed(ctx.config, name),
    hasPasskeys: pagesOfferPasskeys(ctx.config),
    phoneSignsIn: ctx.sms.isConfigured,
    ...more,
  }
  return show((page) => profilePage(data, page), status)
}
