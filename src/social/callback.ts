import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { asksForJson } from '../http/responses/wants-page.ts'
import { isRegistrationAccepted } from '../registration/for-application.ts'
import type { CreatedSession } from '../sessions/create-session.ts'
import { fromBrowser } from '../sessions/remembered-browsers.ts'
import { setSignInCookies } from '../sessions/responses.ts'
import { inFlow } from '../ui/flow/flow.ts'
import { recoverPasskeyPath, secondStepPath } from '../ui/paths.ts'
import type { ProviderConnection } from './connection.ts'
import type { SocialProviders } from './create-providers.ts'
import { isForProgram, type TakenFlow, takeFlow } from './flow.ts'
import { clearFlowCookie, providerFlowOf } from './flow-cookie.ts'
import { linkIdentity } from './link.ts'
import type { ProviderIdentity } from './provider.ts'
import { wordOf } from './read-members.ts'
import { recordingRejectedSignIn, rejectionLine, SocialRejection, webError } from './rejection.ts'
import { frontEnd, signedInAddress, socialResponse } from './responses.ts'
import { signInWith } from './sign-in.ts'

interface Query {
  code?: string
  state?: string
  error?: string
  iss?: string
  format?: 'json'
}

/**
 * The stored flow, not the redirect parameters, determines whether the callback signs in a user or links an identity.
 */
export function handleCallback(
  ctx: Context,
  connection: ProviderConnection,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const query = request.query as Query
  const provider = connection.file.name
  const browser = fromBrowser(ctx, request)
  return recordingRejectedSignIn(ctx, provider, browser.device, async () => {
    const flow = await takeFlow(ctx, provider, { state: query.state, flow: providerFlowOf(request, ctx.config) })
    clearFlowCookie(reply, ctx.config)
    // If the client requested JSON at the start of the flow, the callback also returns JSON, even for errors.
    if (flow.format === 'json') query.format = 'json'
    return withinFlow(flow, () => finish(ctx, connection, { provider, request, reply, query, browser }, flow))
  })
}

/** Adds the sign-in flow to the error so that the page on which the flow began can show the error. */
async function withinFlow<Result>({ signInFlow }: TakenFlow, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SocialRejection) error.signInFlow = signInFlow
    throw error
  }
}

interface Callback {
  provider: string
  request: FastifyRequest
  reply: FastifyReply
  query: Query
  browser: ReturnType<typeof fromBrowser>
}

async function finish(
  ctx: Context,
  connection: ProviderConnection,
  { provider, request, reply, query, browser }: Callback,
  flow: TakenFlow,
) {
  const identity = await identityOf(ctx, connection, flow, query)
  if (flow.link) {
    if (request.auth && request.auth.session.id !== flow.link.sessionId) throw new SocialRejection('invalid_state')
    await linkIdentity(ctx, { ...flow.link, identity, device: browser.device })
    if (query.format === 'json') return { success: true, message: 'Identity added', provider }
    return reply.redirect(frontEnd(ctx, { social_login: 'linked', provider }), 302)
  }
  const { signInFlow } = flow
  const inAddress = query.format !== 'json' && signInFlow === undefined
  const registers = isRegistrationAccepted(ctx, request, signInFlow)
  const { created } = await signInWith(ctx, identity, { ...browser, inAddress, registers })
  setSignInCookies(ctx, reply, created)
  if (query.format === 'json') return socialResponse(ctx, created, { provider, loginType: 'social_auth' })
  if (signInFlow !== undefined) return reply.redirect(inFlow(nextPathOf(created), signInFlow), 302)
  // Anyone with the token could add a passkey, so only the cookie contains it.
  if (created.pending?.passkeyRequired) return reply.redirect(`${ctx.config.PUBLIC_URL}${nextPathOf(created)}`, 302)
  return reply.redirect(signedInAddress(ctx, created, provider), 302)
}

async function identityOf(
  ctx: Context,
  connection: ProviderConnection,
  { visit }: TakenFlow,
  query: Query,
): Promise<ProviderIdentity> {
  const { code, state = '', error, iss } = query
  // The provider's own error text is not passed on.
  if (error !== undefined) {
    const failure = { sentence: 'the provider reported an error', oauth_error: wordOf(error) }
    throw new SocialRejection(cancelled.has(error) ? 'access_denied' : 'not_accepted', { failure })
  }
  if (!code) throw new SocialRejection('not_accepted', { failure: { sentence: 'the callback has no code' } })
  const { identityByCallback } = await import('./exchange.ts')
  return identityByCallback(ctx, connection, visit, { code, state, ...(iss !== undefined && { iss }) })
}

/** Providers send one of these errors if the user cancels. Apple sends `user_cancelled_authorize`. */
const cancelled = new Set(['access_denied', 'user_cancelled_authorize'])

/** After an error, redirects browsers to the sign-in page or, without a sign-in flow, to the front end. */
export const redirectRejection =
  (ctx: Context, providers: SocialProviders) =>
  async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const { provider } = request.params as { provider: string }
    const query = request.query as Query
    if (isForProgram(query.state)) query.format = 'json'
    const word = asksForJson(request) ? undefined : webError(error)
    if (word === undefined || !providers.isEnabled(provider)) throw error
    const result = { social_login: 'error', error: word, provider }
    const flow = error instanceof SocialRejection ? error.signInFlow : undefined
    if (!(error instanceof SocialRejection)) ctx.log.info({ provider, reason: word }, rejectionLine)
    const address = flow === undefined ? frontEnd(ctx, result) : inFlow(`/login?${new URLSearchParams(result)}`, flow)
    return reply.redirect(address, 302)
  }

function nextPathOf({ pending }: CreatedSession): string {
  if (!pending) return '/login'
  return pending.passkeyRequired ? recoverPasskeyPath : secondStepPath
}
