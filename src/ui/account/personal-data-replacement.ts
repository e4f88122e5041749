import type { FastifyReply } from 'fastify'
import type { Context, ModuleState } from '../../context.ts'
import type { ApiCall } from '../shared/api-route.ts'
import type { AccountVisit, FormOutcome } from './account-visit.ts'

/** Shows the page, both initially and after a form has been rejected. */
export type ShowPage = (
  ctx: Context,
  member: AccountVisit,
  outcome: FormOutcome,
  status?: number,
) => Promise<FastifyReply>

/** Module pages that replace the core's personal data pages. */
export interface PersonalDataPages {
  showOverview: ShowPage
  showDelete: ShowPage
  /** The call that returns the data. */
  exportCall(modules: ModuleState): ApiCall<{ data: object }>
}

export type FindReplacement = () => PersonalDataPages | undefined
