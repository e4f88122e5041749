import type { Context } from '../context.ts'
import { keyedHash, sha256Bytes } from '../lib/hash.ts'
import { newSecret } from '../lib/ids.ts'
import type { ProviderConnection } from './connection.ts'
import type { AuthorizationRequest } from './exchange.ts'
import type { ProviderName } from './provider.ts'
import { insertFlow, takeFlowRow } from './queries.ts'
import { SocialRejection } from './rejection.ts'

interface Start {
  /** The format of the callback response. */
  format: 'web' | 'json'
  link: { userId: string; sessionId: string } | undefined
  /** The id of the sign-in flow on this service's pages. */
  signInFlow?: string | undefined
}

export interface StartedFlow {
  url: string
  /** Known only to the browser that started the flow. The callback requires it. */
  flow: string
  expiresIn: number
}

/** Stores the provider, the user and the purpose so that the callback request cannot change them. */
export async function startFlow(
  ctx: Context,
  connection: ProviderConnection,
  { format, link, signInFlow }: Start,
): Promise<StartedFlow> {
  const { name } = connection.file
  const [state, flow] = [newSecret() + (format === 'json' ? jsonMark : ''), newSecret()]
  const lifetime = ctx.config.OAUTH_STATE_TTL
  const { authorizationUrl } = await import('./exchange.ts')
  const url = await authorizationUrl(connection, visitOf(ctx, name, state, flow))
  await insertFlow(ctx.db, {
    state_hash: sha256Bytes(state),
    flow_hash: sha256Bytes(flow),
    provider: name,
    format,
    user_id: link?.userId ?? null,
    session_id: link?.sessionId ?? null,
    sign_in_flow: signInFlow ?? null,
    expires_at: new Date(ctx.clock.now() + lifetime),
  })
  return { url, flow, expiresIn: lifetime / 1000 }
}

/** Marks the `state` of a flow that a program started, so that errors are JSON even if the flow's row is missing. */
const jsonMark = '.json'

export const isForProgram = (state: unknown): boolean => typeof state === 'string' && state.endsWith(jsonMark)

export interface TakenFlow {
  visit: AuthorizationRequest
  format: 'web' | 'json'
  link: { userId: string; sessionId: string } | undefined
  signInFlow: string | undefined
}

/** Deletes the flow before the provider is contacted, so that each `state` is accepted only once. */
export async function takeFlow(
  ctx: Context,
  provider: ProviderName,
  { state, flow }: { state: string | undefined; flow: string | undefined },
): Promise<TakenFlow> {
  if (!state || !flow) throw new SocialRejection('invalid_state')
  const key = { stateHash: sha256Bytes(state), flowHash: sha256Bytes(flow), provider, now: ctx.clock.date() }
  const row = await takeFlowRow(ctx.db, key)
  if (!row) throw new SocialRejection('invalid_state')
  const link = row.user_id && row.session_id ? { userId: row.user_id, sessionId: row.session_id } : undefined
  return {
    visit: visitOf(ctx, provider, state, flow),
    format: row.format,
    link,
    signInFlow: row.sign_in_flow ?? undefined,
  }
}

/** Only the browser stores the secret `flow`, so a stolen database is not enough to complete a sign-in. */
const visitOf = ({ config }: Context, provider: ProviderName, state: string, flow: string): AuthorizationRequest => ({
  state,
  verifier: keyedHash(config.AUTH_SECRET, 'oauth-verifier', `${state}.${flow}`),
  nonce: keyedHash(config.AUTH_SECRET, 'oauth-nonce', `${state}.${flow}`),
  redirectUri: `${config.PUBLIC_URL}/auth/social/${provider}/callback`,
})
