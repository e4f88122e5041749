import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { UpdateProfileRoute } from '../../../profile/schemas.ts'
import { accountPages } from '../../../ui/account/account-visit.ts'
import { call } from '../../../ui/shared/api-route.ts'
import { postedByAnyone, readByAnyone } from '../../../ui/shared/declare-pages.ts'
import { PhoneFormRoute, ProfileFormRoute, ProfilePageRoute } from '../schemas.ts'
import { phonePath, profilePath, showProfile } from './show-profile.ts'
import { noFields } from './view.ts'

export const profilePageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = accountPages(ctx, http, profilePath)
    pages.get(profilePath, { schema: ProfilePageRoute, config: readByAnyone }, (member, { query }) =>
      showProfile(ctx, member, { done: query.done }),
    )

    pages.post(profilePath, { schema: ProfileFormRoute, config: postedByAnyone }, async (member, request) => {
      const { form_token: formToken, ...profile } = request.body
      const response = await member.submit(profilePath, formToken, call(UpdateProfileRoute, { body: profile }))
      if (response.ok) return member.go(`${profilePath}?done=profile_saved`)
      const refused = { form: 'profile', profile: { ...noFields, ...profile }, rejection: response.rejection } as const
      return showProfile(ctx, member, { refused }, response.status)
    })

    // The phone number has a separate form because a number saved after reauthentication is trusted for sign-ins.
    pages.post(phonePath, { schema: PhoneFormRoute, config: postedByAnyone }, async (member, request) => {
      const { form_token: formToken, phone } = request.body
      const response = await member.submit(phonePath, formToken, call(UpdateProfileRoute, { body: { phone } }))
      if (response.ok) return member.go(`${profilePath}?done=${phone.trim() ? 'phone_saved' : 'phone_removed'}`)
      const refused = { form: 'phone', phone, rejection: response.rejection } as const
      return showProfile(ctx, member, { refused }, response.status)
    })
  }
