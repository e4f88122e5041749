import type { FastifyReply } from 'fastify'
import type { Context } from '../../../context.ts'
import type { AccountVisit, FormOutcome } from '../shared/account-visit.ts'

/** Also used when a form was refused. */
export type ShowPage = (
  ctx: Context,
  member: AccountVisit,
  outcome: FormOutcome,
  status?: number,
) => Promise<FastifyReply>

/** The pages that a module shows in place of the pages about personal data, because it offers more. */
export interface PersonalDataPages {
  showOverview: ShowPage
  showDelete: ShowPage
  /** The API operation that returns the data. */
  exportPath: string
}

export type FindReplacement = () => PersonalDataPages | undefined
