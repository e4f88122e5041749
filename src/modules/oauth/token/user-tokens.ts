import { hash } from 'node:crypto'
import type { Context, Transaction, UserRow } from '../../../context.ts'
import { sha256 } from '../../../lib/hash.ts'
import { second } from '../../../lib/time.ts'
import type { Client } from '../clients/client-view.ts'
import { currentDirectory, type Directory } from '../directory.ts'
import type { LockedGrant } from '../grants/grant-queries.ts'
import type { LiveGrant } from '../grants/with-grant.ts'
import type { SigningKey } from '../keys/key-set.ts'
import { signingKeyFor } from '../keys/signing-key.ts'
import type { Resource } from '../resources/resource-set.ts'
import { claimsForIdToken } from '../userinfo/claims.ts'
import { tokenCountsOf } from './count-tokens.ts'
import { columnsOfTarget, type IssuedToken, lifetimeOf } from './issue-access-token.ts'
import { accessTokenType, idTokenType, signJwt, signJwtAside } from './jwt.ts'
import { insertAccessTokens } from './queries.ts'
import { ownApi, type Target } from './scopes.ts'
import { newTokenId } from './token-id.ts'
import { newOpaqueToken } from './token-text.ts'

/** The response to a code or a refresh token (RFC 6749, 5.1, and OpenID Connect Core, 3.1.3.3). */
export interface UserTokens extends IssuedToken {
  refresh_token?: string
  id_token?: string
}

/** Keys and resources, which are read before the transaction begins. */
export interface TokenParts {
  directory: Directory
  client: Client
  idTokenKey: SigningKey
  keyFor(target: Target): SigningKey | undefined
}

export async function tokenPartsFor(ctx: Context, client: Client): Promise<TokenParts> {
  const idTokenKey = await signingKeyFor(ctx, client.signIn.idTokenAlg)
  const directory = await currentDirectory(ctx)
  const algs = new Set(
    client.resources
      .map((id) => directory.resources.ofId(id))
      .flatMap((resource) => (resource?.tokenFormat === 'jwt' ? [resource.alg] : [])),
  )
  const keys = new Map(await Promise.all([...algs].map(async (alg) => [alg, await signingKeyFor(ctx, alg)] as const)))
  const keyFor = (target: Target) =>
    target !== ownApi && target.tokenFormat === 'jwt' ? keys.get(target.alg) : undefined
  return { directory, client, idTokenKey, keyFor }
}

interface Issued {
  live: LiveGrant
  /** Those of the access token. */
  scopes: readonly string[]
}

/** The target of the tokens of a grant. Undefined if the resource is disabled, or the client no longer has it. */
export function targetOfGrant({ directory, client }: TokenParts, { resource_id }: LockedGrant): Target | undefined {
  if (resource_id === null) return ownApi
  return client.resources.includes(resource_id) ? directory.resources.ofId(resource_id) : undefined
}

/** In the transaction that consumes the code or the refresh token, so that nothing is consumed without a token. */
export async function issueUserAccessToken(
  tx: Transaction,
  parts: TokenParts,
  { live, scopes, target }: Issued & { target: Target },
): Promise<IssuedToken> {
  const { client } = parts
  const { grant, user, endsAt } = live
  const now = tx.clock.now()
  const lifetime = lifetimeOf(tx, { ...client, endsAt: Math.min(endsAt, client.endsAt ?? endsAt) }, target, now)
  const key = parts.keyFor(target)
  const text =
    key && target !== ownApi
      ? signJwt(
          key,
          accessTokenType,
          accessTokenClaims(tx, { client, user, grant, scopes, resource: target, now, lifetime }),
        )
      : await issueOpaque(tx, { client, grant, scopes, target, now, lifetime })
  tokenCountsOf(tx)(key ? 'jwt' : 'opaque', 'user')
  return { access_token: text, token_type: 'Bearer', expires_in: lifetime / second, ...scopeMember(scopes) }
}

const scopeMember = (scopes: readonly string[]) => (scopes.length > 0 ? { scope: scopes.join(' ') } : {})

interface Terms {
  client: Client
  grant: LockedGrant
  scopes: readonly string[]
  now: number
  /** In milliseconds, a whole number of seconds. */
  lifetime: number
}

/** RFC 9068, 2.2. */
function accessTokenClaims(
  { config }: Pick<Context, 'config'>,
  { client, user, grant, scopes, resource, now, lifetime }: Terms & { user: UserRow; resource: Resource },
) {
  const iat = Math.floor(now / second)
  return {
    ...{
      iss: config.PUBLIC_URL,
      sub: user.id,
      aud: resource.identifier,
      client_id: client.clientId,
      ...scopeMember(scopes),
    },
    ...{
      iat,
      exp: iat + lifetime / second,
      jti: newTokenId({
        holder: { grantId: grant.id },
        clientEpoch: client.epoch,
        resourceEpoch: resource.epoch,
      }),
    },
    ...{ auth_time: Math.floor(grant.auth_time.getTime() / second), amr: grant.amr },
    ...(grant.acr !== null && { acr: grant.acr }),
  }
}

async function issueOpaque(
  tx: Transaction,
  { client, grant, scopes, target, now, lifetime }: Terms & { target: Target },
): Promise<string> {
  const token = newOpaqueToken()
  await insertAccessTokens(tx.db, [
    {
      ...{ hash: sha256(token), client_id: client.id, client_epoch: client.epoch, scopes },
      ...{ ...columnsOfTarget(target), grant_id: grant.id },
      ...{ created_at: new Date(now), expires_at: new Date(now + lifetime) },
    },
  ])
  return token
}

/** The parts of a response, as the transaction leaves them. */
export interface IssuedTokens {
  live: LiveGrant
  token: IssuedToken
  nonce: string | null
  refreshToken: string | undefined
}

/** The ID token is signed after the transaction, because it takes long and can be repeated. */
export async function userTokens(ctx: Context, parts: TokenParts, issued: IssuedTokens): Promise<UserTokens> {
  const { live, token, refreshToken } = issued
  return {
    ...token,
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    ...(live.grant.scopes.includes('openid') && { id_token: await issueIdToken(ctx, parts, issued) }),
  }
}

/** OpenID Connect Core, 2. */
async function issueIdToken(
  ctx: Context,
  { client, idTokenKey }: TokenParts,
  { live: { user, grant }, token, nonce }: IssuedTokens,
): Promise<string> {
  const iat = Math.floor(ctx.clock.now() / second)
  const claims = {
    ...(await claimsForIdToken(ctx, client, { user, grant })),
    ...{ iss: ctx.config.PUBLIC_URL, sub: user.id, aud: client.clientId },
    ...{ iat, exp: iat + ctx.config.OAUTH_ID_TOKEN_TTL / second },
    auth_time: Math.floor(grant.auth_time.getTime() / second),
    ...(nonce !== null && { nonce }),
    ...(grant.acr !== null && { acr: grant.acr }),
    ...{ amr: grant.amr, sid: grant.sid, at_hash: halfHash(idTokenKey, token.access_token) },
  }
  return signJwtAside(idTokenKey, idTokenType, claims)
}

/** OpenID Connect Core, 3.1.3.6: the left half of the hash of the algorithm. That of Ed25519 is SHA-512. */
function halfHash({ alg }: SigningKey, text: string): string {
  const digest = hash(alg === 'EdDSA' ? 'sha512' : 'sha256', text, 'buffer')
  return digest.subarray(0, digest.length / 2).toString('base64url')
}

/** How long a refresh token is valid, no longer than the grant. */
export const refreshEnd = ({ config, clock }: Context, { signIn }: Client, { endsAt }: LiveGrant): Date =>
  new Date(Math.min(endsAt, clock.now() + (signIn.refreshIdleTtl ?? config.OAUTH_REFRESH_IDLE_TTL)))
