import type { FastifyReply } from 'fastify'
import type { Context } from '../../../context.ts'
import type { AccountVisit, FormOutcome } from '../shared/account-visit.ts'

/** Shows the page, initially and after a form has been refused. */
export type ShowPage = (
  ctx: Context,
  member: AccountVisit,
  outcome: FormOutcome,
  status?: number,
) => Promise<FastifyReply>

/** Pages that a module shows instead of the core pages about personal data. */
export interface PersonalDataPages {
  showOverview: ShowPage
  showDelete: ShowPage
  /** The API operation that returns the data. */
  exportPath: string
}

export type FindReplacement = () => PersonalDataPages | undefined
