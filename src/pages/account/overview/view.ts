import { type AccountPortrait, type AccountProfile, displayNameOf } from '../../shared/profile.ts'
import type { PageContext } from '../../shared/render.ts'
import { textsFor } from '../../texts/index.ts'
import { type AccountArea, accountText, renderAccountLayout } from '../shared/layout.ts'

export interface OverviewPage {
  area: AccountArea
  profile: AccountProfile
  portrait: AccountPortrait
  /** The result of the last action, as a code. `accountText` returns the corresponding text. */
  done?: string | undefined
}

export function overviewPage({ area, profile, portrait, done }: OverviewPage, page: PageContext): string {
  const { account } = textsFor(page.lang)
  const { user, has_password: hasPassword } = profile
  const texts = account.overview
  const data = {
    texts,
    user,
    name: displayNameOf(user),
    portrait,
    password: hasPassword ? texts.isSet : texts.isNotSet,
  }
  return renderAccountLayout(
    area,
    {
      template: new URL('./overview.eta', import.meta.url),
      title: account.title,
      done: accountText(account.done, done),
      data,
    },
    page,
  )
}
