import type { Context } from '../context.ts'
import { keyedHash, sha256 } from '../lib/hash.ts'
import { newSecret } from '../lib/ids.ts'
import type { Connection } from './connection.ts'
import type { Visit } from './exchange.ts'
import type { ProviderName } from './provider.ts'
import { insertFlow, takeFlowRow } from './queries.ts'
import { Refusal } from './refusal.ts'

interface Start {
  /** How the way back is answered. */
  format: 'web' | 'json'
  /** The session whose user gets the identity; absent for a sign-in. */
  link?: { userId: string; sessionId: string } | undefined
  /** The flow of our own pages that the visit belongs to. */
  signInFlow?: string | undefined
}

export interface StartedFlow {
  url: string
  /** For the browser alone that began: without it, nobody comes back. */
  flow: string
  expiresIn: number
}

/** Begins a visit. Provider, user and rights are written down now; what comes back decides none of them. */
export async function startFlow(
  ctx: Context,
  connection: Connection,
  { format, link, signInFlow }: Start,
): Promise<StartedFlow> {
  const { name } = connection.file
  const [state, flow] = [newSecret() + (format === 'json' ? jsonMark : ''), newSecret()]
  const lifetime = ctx.config.OAUTH_STATE_TTL
  const { authorizationUrl } = await import('./exchange.ts')
  const url = await authorizationUrl(ctx, connection, visitOf(ctx, name, state, flow))
  await insertFlow(ctx.db, {
    state_hash: sha256(state),
    flow_hash: sha256(flow),
    provider: name,
    format,
    user_id: link?.userId ?? null,
    session_id: link?.sessionId ?? null,
    sign_in_flow: signInFlow ?? null,
    expires_at: new Date(ctx.clock.now() + lifetime),
  })
  return { url, flow, expiresIn: lifetime / 1000 }
}

/**
 * A state says itself whether its visit began for a program: it still does when its row is gone, because it was used or
 * has expired. It only chooses the form of a refusal.
 */
const jsonMark = '.json'

export const beganForProgram = (state: unknown): boolean => typeof state === 'string' && state.endsWith(jsonMark)

export interface TakenFlow {
  visit: Visit
  format: 'web' | 'json'
  link: { userId: string; sessionId: string } | undefined
  signInFlow: string | undefined
}

/** Ends a visit, before the provider is asked anything: of any number who come back with one state, one goes on. */
export async function takeFlow(
  ctx: Context,
  provider: ProviderName,
  { state, flow }: { state: string | undefined; flow: string | undefined },
): Promise<TakenFlow> {
  if (!state || !flow) throw new Refusal('invalid_state')
  const key = { stateHash: sha256(state), flowHash: sha256(flow), provider, now: new Date(ctx.clock.now()) }
  const row = await takeFlowRow(ctx.db, key)
  if (!row) throw new Refusal('invalid_state')
  const link = row.user_id && row.session_id ? { userId: row.user_id, sessionId: row.session_id } : undefined
  return {
    visit: visitOf(ctx, provider, state, flow),
    format: row.format,
    link,
    signInFlow: row.sign_in_flow ?? undefined,
  }
}

/** Verifier and nonce follow from what only the browser has: the database holds nothing that would help a thief. */
const visitOf = ({ config }: Context, provider: ProviderName, state: string, flow: string): Visit => ({
  state,
  verifier: keyedHash(config.AUTH_SECRET, 'oauth-verifier', `${state}.${flow}`),
  nonce: keyedHash(config.AUTH_SECRET, 'oauth-nonce', `${state}.${flow}`),
  redirectUri: `${config.PUBLIC_URL}/auth/social/${provider}/callback`,
})
