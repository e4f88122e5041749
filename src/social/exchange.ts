import * as client from 'openid-client'
import { within } from '../adapters/within.ts'
import type { Context } from '../context.ts'
import { second } from '../lib/time.ts'
import { canonicalEmail, nameField, pictureField } from '../users/fields.ts'
import { apiOf } from './api.ts'
import type { Connection, OpenConnection } from './connection.ts'
import { type CheckedToken, checkIdToken, isTokenError } from './id-token.ts'
import { type Identity, NotAccepted, type Profile } from './provider.ts'
import { textOf } from './read-members.ts'
import { Refusal } from './refusal.ts'

/** How long a person waits for a provider, however many questions it takes. */
const patience = 10 * second

export interface Visit {
  state: string
  nonce: string
  verifier: string
  /** Our own address, to which the provider sends people back. */
  redirectUri: string
}

/** Where to send somebody. Nothing of it can be left out by whoever carries it: the way back asks for all of it. */
export const authorizationUrl = (ctx: Context, connection: Connection, visit: Visit): Promise<string> =>
  asking(ctx, async () => {
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

/** Trades what the way back brought for who came. */
export const identityByCallback = (
  ctx: Context,
  connection: Connection,
  visit: Visit,
  query: Record<string, string>,
): Promise<Identity> =>
  asking(ctx, async () => {
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
  code_verifier?: string | undefined
  redirect_uri?: string | undefined
  nonce?: string | undefined
}

/** The same for a code that an app has got by itself. */
export const identityByCode = (ctx: Context, connection: Connection, { nonce, ...given }: AppCode): Promise<Identity> =>
  asking(ctx, async () => {
    const opened = await connection.open()
    const parameters = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
    const tokens = await client.genericGrantRequest(opened.client, 'authorization_code', parameters)
    return identityOf(ctx, connection, opened, { ...tokens, nonce })
  })

/** An ID token that an app was given, made for us or for that app. */
export const identityByIdToken = (
  ctx: Context,
  connection: Connection,
  token: string,
  nonce: string | undefined,
): Promise<{ identity: Identity; checked: CheckedToken }> =>
  asking(ctx, async () => {
    const checked = await check(ctx, connection, await connection.open(), token, nonce, connection.clientIds)
    return { identity: fromClaims(ctx, connection, checked, checked.claims), checked }
  })

/** An access token that an app was given: only where the provider says whom it was made for. */
export const identityByAccessToken = (ctx: Context, connection: Connection, token: string): Promise<Identity> =>
  asking(ctx, async () => {
    const { file } = connection
    if (!file.proveAudience) throw new NotAccepted('the provider does not say whom its access tokens are for')
    const api = await apiOf(ctx, connection, token)
    await file.proveAudience(api)
    if (file.oauth) return identity(ctx, connection, file.oauth.server.issuer, await file.oauth.profile(api))
    const opened = await connection.open()
    const claims = await client.fetchUserInfo(opened.client, token, client.skipSubjectCheck)
    return fromClaims(ctx, connection, opened, claims)
  })

interface Tokens {
  access_token: string
  id_token?: string
  nonce: string | undefined
}

async function identityOf(ctx: Context, connection: Connection, opened: OpenConnection, tokens: Tokens) {
  const { file, app } = connection
  if (file.oauth) {
    const profile = await file.oauth.profile(await apiOf(ctx, connection, tokens.access_token))
    return identity(ctx, connection, file.oauth.server.issuer, profile)
  }
  if (!tokens.id_token) throw new NotAccepted('there is no ID token')
  const checked = await check(ctx, connection, opened, tokens.id_token, tokens.nonce, [app.clientId])
  const { claims } = checked
  const asks =
    file.openId?.asksUserInfo && claims.email === undefined && opened.client.serverMetadata().userinfo_endpoint
  if (!asks) return fromClaims(ctx, connection, checked, claims)
  const more = await client.fetchUserInfo(opened.client, tokens.access_token, textOf(claims.sub))
  return fromClaims(ctx, connection, checked, { ...more, ...claims })
}

function check(
  ctx: Context,
  { file }: Connection,
  { issuer, keys }: OpenConnection,
  token: string,
  nonce: string | undefined,
  clientIds: readonly string[],
): Promise<CheckedToken> {
  if (!file.openId || !keys) throw new NotAccepted('the provider signs no ID tokens')
  return checkIdToken(token, { part: file.openId, issuer, clientIds, keys, now: ctx.clock.now(), nonce })
}

function fromClaims(ctx: Context, connection: Connection, { issuer }: { issuer: string }, claims: object): Identity {
  const { openId } = connection.file
  if (!openId) throw new NotAccepted('the provider makes no claims')
  return identity(ctx, connection, issuer, openId.profile({ ...claims }))
}

/** What a provider says is shown to others: names and addresses that we would not take from the user are left out. */
function identity(ctx: Context, { file }: Connection, issuer: string, profile: Profile): Identity {
  const orEmpty = (read: () => string | undefined): string => {
    try {
      return read() ?? ''
    } catch {
      return ''
    }
  }
  return {
    provider: file.name,
    issuer,
    ...profile,
    email: profile.email === undefined ? undefined : canonicalEmail(profile.email),
    name: orEmpty(() => nameField('name', profile.name)),
    lastName: orEmpty(() => nameField('last_name', profile.lastName)),
    picture: profile.picture === '' ? '' : orEmpty(() => pictureField('picture', profile.picture, ctx.config)),
  }
}

/** Whatever a provider does wrong is one of two things: it does not accept what we bring, or it does not answer. */
async function asking<Answer>(ctx: Context, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await within(patience, work())
  } catch (error) {
    const reason = isNotAccepted(error) ? 'not_accepted' : 'provider_down'
    // Errors of the library may quote what was sent or answered: only their own words are kept.
    const sentence = error instanceof Error ? error.message : 'unknown'
    ctx.log.info({ reason, sentence }, 'a provider was asked in vain')
    throw new Refusal(reason, { cause: new Error(sentence) })
  }
}

function isNotAccepted(error: unknown): boolean {
  if (error instanceof NotAccepted || isTokenError(error)) return true
  if (error instanceof client.ResponseBodyError) return error.status < 500
  if (error instanceof client.AuthorizationResponseError || error instanceof client.WWWAuthenticateChallengeError)
    return true
  if (!(error instanceof client.ClientError)) return false
  // Some say in a form of their own that a code is not good.
  const { cause } = error
  if (cause instanceof Response) return cause.status >= 400 && cause.status < 500 && cause.status !== 429
  return tokenFaults.has(error.code ?? '')
}

const tokenFaults = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_UNSUPPORTED_OPERATION',
])
