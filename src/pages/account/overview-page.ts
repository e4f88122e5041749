import type { PageContext } from '../render.ts'
import { textsFor } from '../texts/index.ts'
import { type Area, renderArea, wordsOf } from './area.ts'
import type { Profile } from './member.ts'
import { nameOf } from './name-of.ts'
import type { Portrait } from './portrait.ts'

export interface OverviewPage {
  area: Area
  user: Profile['user']
  portrait: Portrait
  /** What was just done, as a code. */
  done?: string | undefined
}

/** Where people arrive that have signed in. */
export function overviewPage({ area, user, portrait, done }: OverviewPage, page: PageContext): string {
  const texts = textsFor(page.lang).account
  const data = { texts: texts.overview, email: user.email, name: nameOf(user), portrait }
  return renderArea(area, { template: 'overview', title: texts.title, done: wordsOf(texts.done, done), data }, page)
}
