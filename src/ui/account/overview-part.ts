import type { Context } from '../../context.ts'
import type { PageLanguage } from '../texts/index.ts'
import type { AccountVisit } from './account-visit.ts'

/** A module's additions to the account overview. */
export interface OverviewPart {
  /** A notice about something that the user should do, shown above everything else. */
  notice?(lang: PageLanguage): { text: string; link: OverviewLink }
  /** A row of the overview. */
  row?(lang: PageLanguage): OverviewRow
}

export interface OverviewRow {
  label: string
  value: string
  /** Whether the value is highlighted as a good state. */
  isGood: boolean
  link: OverviewLink
}

interface OverviewLink {
  path: string
  label: string
}

export type ReadOverviewPart = (ctx: Context, member: AccountVisit) => Promise<OverviewPart>
