import { onePerDatabase } from '../../../context/one-per-database.ts'
import type { Context } from '../../../context.ts'
import { batchLookup } from '../../../db/batch-lookup.ts'
import { AppError } from '../../../lib/errors.ts'
import { sha256 } from '../../../lib/hash.ts'
import { hour, second } from '../../../lib/time.ts'
import type { Client } from '../clients/client-view.ts'
import { currentDirectory } from '../directory.ts'
import { signingKeyFor } from '../keys/signing-key.ts'
import type { Resource } from '../resources/resource-set.ts'
import { tokenCountsOf } from './count-tokens.ts'
import { accessTokenType, signJwt } from './jwt.ts'
import { insertAccessTokens, type NewToken } from './queries.ts'
import { type AskedAccess, grantedTo, ownApi, type Target } from './scopes.ts'
import { newTokenId } from './token-id.ts'
import { newOpaqueToken } from './token-text.ts'

export interface IssuedToken {
  access_token: string
  token_type: 'Bearer'
  /** In seconds. */
  expires_in: number
  /** Absent if the token has none. */
  scope?: string
}

/** For a client that acts for itself (RFC 6749, 4.4). Throws invalid_scope or invalid_target. */
export async function issueMachineToken(ctx: Context, client: Client, asked: AskedAccess): Promise<IssuedToken> {
  const { resources } = await currentDirectory(ctx)
  await ctx.applicationRoles.whenCurrent(ctx.applicationRoles.latest)
  const { target, scopes } = grantedTo(ctx, resources, client, asked)
  const now = ctx.clock.now()
  const lifetime = lifetimeOf(ctx, client, target, now)
  const terms = { client, scopes, now, lifetime }
  const isJwt = target !== ownApi && target.tokenFormat === 'jwt'
  const access_token = isJwt ? await issueJwt(ctx, target, terms) : await issueOpaque(ctx, target, terms)
  tokenCountsOf(ctx)(isJwt ? 'jwt' : 'opaque', 'machine')
  return {
    access_token,
    token_type: 'Bearer',
    expires_in: lifetime / second,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  }
}

interface Terms {
  client: Client
  scopes: readonly string[]
  now: number
  /** In milliseconds, a whole number of seconds. */
  lifetime: number
}

/** In milliseconds: the shortest of all that apply, and no longer than the account or the grant exists. Throws invalid_client. */
export function lifetimeOf(
  { config }: Pick<Context, 'config'>,
  { accessTtl, endsAt }: Pick<Client, 'accessTtl' | 'endsAt'>,
  target: Target,
  now: number,
): number {
  const ofResource = target === ownApi ? null : target.accessTtl
  const isJwt = target !== ownApi && target.tokenFormat === 'jwt'
  const bounds = [accessTtl, ofResource ?? config.OAUTH_ACCESS_TOKEN_TTL, isJwt ? hour : null, endsAt && endsAt - now]
  const shortest = Math.min(...bounds.filter((one) => one !== null))
  if (shortest < second) throw new AppError('invalid_client')
  return Math.floor(shortest / second) * second
}

/** RFC 9068, 2.2. The subject of a token without a user is the client. */
async function issueJwt(ctx: Context, resource: Resource, { client, scopes, now, lifetime }: Terms): Promise<string> {
  const key = await signingKeyFor(ctx, resource.alg)
  const iat = Math.floor(now / second)
  return signJwt(key, accessTokenType, {
    iss: ctx.config.PUBLIC_URL,
    sub: client.clientId,
    aud: resource.identifier,
    client_id: client.clientId,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    iat,
    exp: iat + lifetime / second,
    jti: newTokenId({ holder: { clientId: client.id }, clientEpoch: client.epoch, resourceEpoch: resource.epoch }),
  })
}

/** One statement stores the tokens that are issued at the same time. */
const storeOf = onePerDatabase(({ db }) =>
  batchLookup(async (tokens: NewToken[]) => {
    const stored = await insertAccessTokens(db, tokens)
    return { get: ({ hash }) => stored.has(hash) }
  }),
)

/** Throws invalid_client if the client or the resource was erased meanwhile. */
async function issueOpaque(ctx: Context, target: Target, { client, scopes, now, lifetime }: Terms): Promise<string> {
  const token = newOpaqueToken()
  const isStored = await storeOf(ctx)({
    hash: sha256(token),
    client_id: client.id,
    client_epoch: client.epoch,
    scopes,
    ...columnsOfTarget(target),
    grant_id: null,
    created_at: new Date(now),
    expires_at: new Date(now + lifetime),
  })
  if (!isStored) throw new AppError('invalid_client')
  return token
}

export const columnsOfTarget = (target: Target) =>
  target === ownApi
    ? { resource_id: null, resource_epoch: null }
    : { resource_id: target.id, resource_epoch: target.epoch }
