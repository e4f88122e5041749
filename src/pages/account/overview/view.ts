import type { PageContext } from '../../shared/render.ts'
import { textsFor } from '../../texts/index.ts'
import { type AccountArea, renderArea, wordsOf } from '../shared/area.ts'
import type { AccountProfile } from '../shared/member.ts'
import type { AccountPortrait } from '../shared/portrait.ts'
import { displayNameOf } from '../shared/portrait.ts'

export interface OverviewPage {
  area: AccountArea
  profile: AccountProfile
  portrait: AccountPortrait
  /** A code; see `wordsOf`. */
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
  return renderArea(
    area,
    {
      template: new URL('./overview.eta', import.meta.url),
      title: account.title,
      done: wordsOf(account.done, done),
      data,
    },
    page,
  )
}
