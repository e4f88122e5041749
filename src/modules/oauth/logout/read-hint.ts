import type { Context } from '../../../context.ts'
import { day } from '../../../lib/time.ts'
import { findClientViews } from '../clients/client-queries.ts'
import type { Client } from '../clients/client-view.ts'
import { rememberedKeyFor } from '../keys/signing-key.ts'
import { idTokenType, isSignedBy, parseJwt } from '../token/jwt.ts'

/** For as long as the keys of the service are kept after they have signed. */
const maxAge = 90 * day

/** The user, the client and the session that an ID token names. */
export interface LogoutHint {
  client: Client
  sub: unknown
  sid: unknown
}

/**
 * Also reads tokens that have expired, because users sign out later than that (OpenID Connect RP-Initiated Logout, 4).
 * Undefined if this service has not issued the token to a client that exists.
 */
export async function readLogoutHint(ctx: Context, text: string): Promise<LogoutHint | undefined> {
  const jwt = parseJwt(text, idTokenType, ctx.config.PUBLIC_URL)
  const key = jwt && (await rememberedKeyFor(ctx, jwt.kid))
  if (!jwt || !key || !isSignedBy(key, jwt)) return undefined
  const { aud, sub, sid, iat } = jwt.claims
  if (typeof iat !== 'number' || iat * 1000 < ctx.clock.now() - maxAge || typeof aud !== 'string') return undefined
  const [client] = await findClientViews(ctx, { clientIds: [aud] })
  return client?.signIn.idTokenAlg === key.alg ? { client, sub, sid } : undefined
}
