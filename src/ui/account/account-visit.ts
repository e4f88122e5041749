import type { FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import type { HttpServer } from '../../http/server/types.ts'
import { declarePages, type PageDeclarations } from '../shared/declare-pages.ts'
import { type SignedInVisit, withSignedInVisit } from '../shared/signed-in-visit.ts'
import { type PageVisit, visitOf } from '../shared/visit.ts'
import { consoleEntryOf, entriesOf } from './entries.ts'
import type { AccountArea } from './layout.ts'

export { confirmPath } from '../flow/end-flow.ts'

export interface AccountVisit extends SignedInVisit {
  area: AccountArea
}

export interface FormOutcome {
  done?: string | undefined
  problem?: string | undefined
}

/** `path` is the page that contains the forms. After signing in or reauthenticating, the visitor returns to it. */
export const accountPages = (ctx: Context, http: HttpServer, path: string): PageDeclarations<AccountVisit> =>
  declarePages(http, (request, reply, work) => withAccountVisit(ctx, visitOf(ctx, http, request, reply), path, work))

export const withAccountVisit = (
  ctx: Context,
  visit: PageVisit,
  path: string,
  work: (member: AccountVisit) => FastifyReply | Promise<FastifyReply>,
): Promise<FastifyReply> =>
  withSignedInVisit(visit, path, (member) => {
    const console = consoleEntryOf(ctx, member.profile.user.user_type)
    const { id: userId } = member.profile.user
    const logoutForm = visit.sign('/logout')
    return work({ ...member, area: { path, entries: entriesOf(ctx), console, logoutForm, userId } })
  })
