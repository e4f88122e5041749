import { FetchFailed } from '../../../adapters/fetch/port.ts'
import type { Context } from '../../../context.ts'
import { newId } from '../../../lib/ids.ts'
import { second } from '../../../lib/time.ts'
import { version } from '../../../lib/version.ts'
import type { Client } from '../clients/client-view.ts'
import { signingKeyFor } from '../keys/signing-key.ts'
import { signJwtAside } from '../token/jwt.ts'
import type { ClaimedLogout } from './delivery-queries.ts'

/** OpenID Connect Back-Channel Logout, 2.4. No other token has this type. */
export const logoutTokenType = 'logout+jwt'

const lifetime = 120
const maxDuration = 5 * second
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

interface Call {
  client: Client
  /** The address of the client. */
  uri: string
  logout: ClaimedLogout
  signal: AbortSignal
}

/** Tells a client that a session has ended. Returns why it did not accept this, or undefined if it did. */
export async function sendLogoutToken(
  ctx: Context,
  { client, uri, logout, signal }: Call,
): Promise<string | undefined> {
  const { host, hostname, origin } = new URL(uri)
  const policy = { hosts: [host], configured: ctx.config.OAUTH_ALLOW_PRIVATE_HOSTS.includes(hostname) ? [origin] : [] }
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': `Wardenry/${version}` }
  const body = `${new URLSearchParams({ logout_token: await signLogoutToken(ctx, client, logout) })}`
  const limited = AbortSignal.any([signal, AbortSignal.timeout(maxDuration)])
  try {
    const { status } = await ctx.fetch(uri, { method: 'POST', headers, body, signal: limited }, policy)
    // OpenID Connect Back-Channel Logout, 2.8.
    return status === 200 || status === 204 ? undefined : `${host} responded with status ${status}`
  } catch (error) {
    return error instanceof FetchFailed ? error.message : 'the request could not be sent'
  }
}

/** Signed again for each attempt, because it is valid for a short time only. */
async function signLogoutToken(ctx: Context, client: Client, { user_id, sid }: ClaimedLogout): Promise<string> {
  const key = await signingKeyFor(ctx, client.signIn.idTokenAlg)
  const iat = Math.floor(ctx.clock.now() / second)
  return signJwtAside(key, logoutTokenType, {
    ...{ iss: ctx.config.PUBLIC_URL, sub: user_id, aud: client.clientId, iat, exp: iat + lifetime, jti: newId(), sid },
    events: { [logoutEvent]: {} },
  })
}
