import type { Context } from '../context.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import type { ProviderConnection } from './connection.ts'
import type { ProviderIdentity } from './provider.ts'
import { SocialRejection } from './rejection.ts'
import { type OnceOnly, type SignInBrowser, type SocialSignIn, signInWith } from './sign-in.ts'

/** A request must contain exactly one of `id_token`, `access_token` and `code`. */
export interface AppCredentials {
  id_token?: string
  access_token?: string
  code?: string
  code_verifier?: string
  redirect_uri?: string
  nonce?: string
}

export async function signInApp(
  ctx: Context,
  connection: ProviderConnection,
  credentials: AppCredentials,
  browser: SignInBrowser,
): Promise<SocialSignIn> {
  const input = [credentials.id_token, credentials.access_token, credentials.code].filter((one) => one !== undefined)
  if (input.length !== 1) throw invalidField('id_token', 'is required, or else exactly one of access_token and code')
  const { identity, once } = await proofOf(ctx, connection, credentials).catch((error) => {
    if (!(error instanceof SocialRejection && error.reason === 'not_accepted')) throw error
    throw new SocialRejection('not_accepted', { code: 'INVALID_PROVIDER_TOKEN', failure: error.failure })
  })
  return signInWith(ctx, identity, browser, once)
}

interface Proof {
  identity: ProviderIdentity
  /** Present for ID tokens, which are accepted only once to prevent replay. */
  once?: OnceOnly
}

async function proofOf(ctx: Context, connection: ProviderConnection, credentials: AppCredentials): Promise<Proof> {
  const { id_token, access_token, code, code_verifier, redirect_uri, nonce } = credentials
  const { identityByAccessToken, identityByCode, identityByIdToken } = await import('./exchange.ts')
  if (id_token !== undefined) {
    const { identity, checked } = await identityByIdToken(ctx, connection, id_token, nonce)
    return { identity, once: checked }
  }
  if (access_token !== undefined) return { identity: await identityByAccessToken(ctx, connection, access_token) }
  // A code from the service's own flow is accepted only in the callback and only in the browser that started the flow.
  if (redirect_uri?.startsWith(ctx.config.PUBLIC_URL))
    throw invalidField('redirect_uri', 'must be a redirect URI of your app')
  if (code === undefined) throw new AppError('INTERNAL_ERROR')
  return { identity: await identityByCode(ctx, connection, { code, code_verifier, redirect_uri, nonce }) }
}
