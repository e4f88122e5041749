import * as client from 'openid-client'
import type { Context } from '../context.ts'
import { apiOf } from './api.ts'
import { askProvider } from './ask-provider.ts'
import type { ProviderConnection } from './connection.ts'
import { type CheckedToken, checkIdToken } from './id-token.ts'
import type { OpenConnection } from './open-connection.ts'
import { NotAccepted, type ProviderIdentity } from './provider.ts'
import { readIdentity } from './read-identity.ts'
import { claimText } from './read-members.ts'

export interface AuthorizationRequest {
  state: string
  nonce: string
  verifier: string
  redirectUri: string
}

/**
 * The callback verifies `state` and, with OpenID Connect, the nonce. The provider checks the code verifier against the
 * PKCE challenge.
 */
export const authorizationUrl = (connection: ProviderConnection, visit: AuthorizationRequest): Promise<string> =>
  askProvider(async () => {
    const { file, open } = connection
    const url = client.buildAuthorizationUrl((await open()).client, {
      redirect_uri: visit.redirectUri,
      scope: file.scope,
      state: visit.state,
      code_challenge: await client.calculatePKCECodeChallenge(visit.verifier),
      code_challenge_method: 'S256',
      ...(file.openId && { nonce: visit.nonce }),
      ...file.parameters,
    })
    return url.href
  })

export const identityByCallback = (
  ctx: Context,
  connection: ProviderConnection,
  visit: AuthorizationRequest,
  query: Record<string, string>,
): Promise<ProviderIdentity> =>
  askProvider(async () => {
    const opened = await connection.open()
    const way = new URL(`${visit.redirectUri}?${new URLSearchParams(query)}`)
    const nonce = connection.file.openId ? visit.nonce : undefined
    const tokens = await client.authorizationCodeGrant(opened.client, way, {
      expectedState: visit.state,
      pkceCodeVerifier: visit.verifier,
      ...(nonce && { expectedNonce: nonce, idTokenExpected: true }),
    })
    return identityOf(ctx, connection, opened, { ...tokens, nonce })
  })

interface AppCode {
  code: string
  code_verifier: string | undefined
  redirect_uri: string | undefined
  nonce: string | undefined
}

export const identityByCode = (
  ctx: Context,
  connection: ProviderConnection,
  { nonce, ...input }: AppCode,
): Promise<ProviderIdentity> =>
  askProvider(async () => {
    const opened = await connection.open()
    const parameters = Object.entries(input).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const tokens = await client.genericGrantRequest(opened.client, 'authorization_code', Object.fromEntries(parameters))
    return identityOf(ctx, connection, opened, { ...tokens, nonce })
  })

export const identityByIdToken = (
  ctx: Context,
  connection: ProviderConnection,
  token: string,
  nonce: string | undefined,
): Promise<{ identity: ProviderIdentity; checked: CheckedToken }> =>
  askProvider(async () => {
    const checked = await check(ctx, connection, await connection.open(), {
      token,
      nonce,
      clientIds: connection.clientIds,
    })
    return { identity: fromClaims(ctx, connection, checked, checked.claims), checked }
  })

/** Works only for providers that can confirm which client the token was issued to. */
export const identityByAccessToken = (
  ctx: Context,
  connection: ProviderConnection,
  token: string,
): Promise<ProviderIdentity> =>
  askProvider(async () => {
    const { file } = connection
    if (!file.proveAudience) throw new NotAccepted('the provider does not state the audience of its access tokens')
    const api = await apiOf(ctx, connection, token)
    await file.proveAudience(api)
    if (file.oauth) return readIdentity(ctx, file, file.oauth.server.issuer, await file.oauth.profile(api))
    const opened = await connection.open()
    const claims = await client.fetchUserInfo(opened.client, token, client.skipSubjectCheck)
    return fromClaims(ctx, connection, opened, claims)
  })

interface Tokens {
  access_token: string
  id_token?: string
  nonce: string | undefined
}

async function identityOf(ctx: Context, connection: ProviderConnection, opened: OpenConnection, tokens: Tokens) {
  const { file, app } = connection
  if (file.oauth) {
    const profile = await file.oauth.profile(await apiOf(ctx, connection, tokens.access_token))
    return readIdentity(ctx, file, file.oauth.server.issuer, profile)
  }
  if (!tokens.id_token) throw new NotAccepted('the ID token is missing')
  const checked = await check(ctx, connection, opened, {
    token: tokens.id_token,
    nonce: tokens.nonce,
    clientIds: [app.clientId],
  })
  const { claims } = checked
  const asks =
    file.openId?.asksUserInfo && claims.email === undefined && opened.client.serverMetadata().userinfo_endpoint
  if (!asks) return fromClaims(ctx, connection, checked, claims)
  const more = await client.fetchUserInfo(opened.client, tokens.access_token, claimText(claims.sub))
  // A claim that an address is verified is about the address in the same document.
  const { email, email_verified } = more
  return fromClaims(ctx, connection, checked, { ...more, ...claims, email, email_verified })
}

interface ReceivedToken {
  token: string
  nonce: string | undefined
  clientIds: readonly string[]
}

function check(
  ctx: Context,
  { file }: ProviderConnection,
  { issuer, keys }: OpenConnection,
  { token, nonce, clientIds }: ReceivedToken,
): Promise<CheckedToken> {
  if (!file.openId || !keys) throw new NotAccepted('the provider does not issue ID tokens')
  return checkIdToken(token, { part: file.openId, issuer, clientIds, keys, now: ctx.clock.now(), nonce })
}

function fromClaims(
  ctx: Context,
  connection: ProviderConnection,
  { issuer }: { issuer: string },
  claims: object,
): ProviderIdentity {
  const { openId } = connection.file
  if (!openId) throw new NotAccepted('the provider does not issue claims')
  return readIdentity(ctx, connection.file, issuer, openId.profile({ ...claims }))
}
