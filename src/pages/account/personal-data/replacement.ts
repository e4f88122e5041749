import type { FastifyReply } from 'fastify'
import type { Context } from '../../../context.ts'
import type { FormOutcome, Member } from '../shared/member.ts'

/** Shows a page to somebody who is signed in, also where a form of it could not be done. */
export type ShowPage = (ctx: Context, member: Member, outcome: FormOutcome, status?: number) => Promise<FastifyReply>

/** What a module shows in place of the pages about personal data, because it offers more. */
export interface PersonalDataPages {
  showOverview: ShowPage
  showDelete: ShowPage
  /** The operation of the API that answers with the copy of the data. */
  exportPath: string
}

/** Undefined while no module is there that replaces them. */
export type FindReplacement = () => PersonalDataPages | undefined
