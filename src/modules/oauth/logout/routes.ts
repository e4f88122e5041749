import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { anyone } from '../../../http/access/access.ts'
import { isPrefetch } from '../../../http/responses/wants-page.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { maySignOut, signOutBrowser } from '../../../screens/sign-out/sign-out-browser.ts'
import { logoutPage } from '../../../screens/sign-out/view.ts'
import type { ApiRejection } from '../../../ui/shared/call-api.ts'
import { visitorPages } from '../../../ui/shared/declare-pages.ts'
import type { PageVisit } from '../../../ui/shared/visit.ts'
import { sidOf } from '../authorize/issue-code.ts'
import type { SentParameters } from '../authorize/parameters.ts'
import { sentIn } from '../authorize/read-request.ts'
import { findVisitor } from '../authorize/visitor.ts'
import { recordClientRejection } from '../rejections/record-rejection.ts'
import { confirmEndPath, endSessionPath } from './paths.ts'
import { type EndFault, type EndRequest, readEndRequest } from './read-end-request.ts'
import type { LogoutHint } from './read-hint.ts'
import { ConfirmEndRoute, EndSessionFormRoute, EndSessionRoute } from './schemas.ts'
import { endFaultPage, languageIn } from './show-end-fault.ts'

const read = { access: anyone, limit: 'read', hidden: true, module: 'oauth' } as const
const write = { access: anyone, limit: 'write', hidden: true, module: 'oauth', form: true } as const

/** OpenID Connect RP-Initiated Logout. Asks, unless the application proves that the user signed in to it in this session. */
export const logoutRoutesOfClients =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = visitorPages(ctx, http)

    pages.get(endSessionPath, { schema: EndSessionRoute, config: read }, async (visit, request, reply) => {
      const asked = await readEndRequest(ctx, sentIn(request))
      if ('fault' in asked) return showFault(ctx, visit, request, asked)
      if (asked.hint && (await isOfSession(ctx, request, asked.hint)))
        // Nobody has followed the link yet (RFC 9110, 9.3.2).
        return isPrefetch(request) ? reply.code(204).send() : end(ctx, asked, { visit, request, reply })
      return (await maySignOut(ctx, visit, request)) ? ask(visit, request, asked) : leave(visit, asked)
    })

    // Browsers send no cookies with forms of other sites, but with the request that follows.
    pages.post(endSessionPath, { schema: EndSessionFormRoute, config: write }, async (visit, request) =>
      visit.redirectTo(addressWith(sentIn(request))),
    )

    pages.post(confirmEndPath, { schema: ConfirmEndRoute, config: write }, async (visit, request, reply) => {
      const { form_token: formToken, ...sent } = sentIn(request)
      const isOwn = await visit.isOwn(confirmEndPath, formToken)
      // The page that is loaded next asks again.
      if (!isOwn) return visit.redirectTo(addressWith(sent))
      const asked = await readEndRequest(ctx, sent)
      if ('fault' in asked) return showFault(ctx, visit, request, asked)
      return end(ctx, asked, { visit, request, reply })
    })
  }

const addressWith = (sent: SentParameters): string =>
  `${endSessionPath}?${new URLSearchParams(Object.entries(sent).map(([name, value]) => [name, value ?? '']))}`

/** Whether the user signed in to the client in this session of the browser. */
async function isOfSession(ctx: Context, request: FastifyRequest, { client, sub, sid }: LogoutHint): Promise<boolean> {
  const visitor = await findVisitor(ctx, request)
  if (!visitor || visitor.isImpersonated) return false
  return visitor.user.id === sub && sidOf(ctx, visitor.session.id, client) === sid
}

interface Ending {
  visit: PageVisit
  request: FastifyRequest
  reply: FastifyReply
}

async function end(ctx: Context, asked: EndRequest, { visit, request, reply }: Ending): Promise<FastifyReply> {
  const failed = await signOutBrowser(ctx, visit, request, reply)
  return failed ? ask(visit, request, asked, failed) : leave(visit, asked)
}

const leave = (visit: PageVisit, { returnTo }: EndRequest): FastifyReply =>
  returnTo === undefined ? visit.go('/login?logout=success') : visit.redirectTo(returnTo)

function ask(
  visit: PageVisit,
  request: FastifyRequest,
  { returnTo, fields }: EndRequest,
  failed?: { status: number; rejection: ApiRejection },
): FastifyReply {
  const other = { action: confirmEndPath, fields }
  const data = { formToken: visit.sign(confirmEndPath), returnTo, other, problem: failed?.rejection }
  return visit.show((page) => logoutPage(data, page), failed?.status, languageIn(sentIn(request)), returnTo)
}

/** Nobody is sent anywhere, because the address may be that of an attacker. */
async function showFault(
  ctx: Context,
  visit: PageVisit,
  request: FastifyRequest,
  { fault, client }: EndFault,
): Promise<FastifyReply> {
  const reason = { hint: 'invalid_request', client: 'not_live', address: 'redirect_uri' } as const
  if (client) await recordClientRejection(ctx, request, client, { reason: reason[fault] })
  return visit.show((page) => endFaultPage(fault, page), 400, languageIn(sentIn(request)))
}
