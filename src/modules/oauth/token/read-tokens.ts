import { allRoles } from '../../../context/roles.ts'
import type { Context } from '../../../context.ts'
import { sha256Bytes } from '../../../lib/hash.ts'
import { second } from '../../../lib/time.ts'
import type { Owner } from '../../../lib/versioned-cache.ts'
import { findClientViews } from '../clients/client-queries.ts'
import type { Client } from '../clients/client-view.ts'
import { currentDirectory, type Directory } from '../directory.ts'
import { endOfGrant } from '../grants/end-of-grant.ts'
import { findGrantViews, type GrantView } from '../grants/grant-view-queries.ts'
import { verificationKeyFor } from '../keys/signing-key.ts'
import { accessTokenType, isSignedBy, parseJwt } from './jwt.ts'
import { findRevoked, findTokens } from './queries.ts'
import { ownApi, scopesIn, type Target } from './scopes.ts'
import { type IssuedFor, parseTokenId } from './token-id.ts'
import { isOpaqueToken, tokenIdOf } from './token-text.ts'

/** An access token that is valid. */
export interface AccessToken {
  /** As an owner. */
  id: string
  client: Client
  /** Undefined for machines. */
  grant: GrantView | undefined
  target: Target
  /** Those that it was issued with and that the client still has. */
  scopes: readonly string[]
  /** In milliseconds since 1970, as `expiresAt`. */
  issuedAt: number
  expiresAt: number
  /** The `jti` of a JWT. */
  jti: string | undefined
  owners: readonly Owner[]
}

/** The statements of a token about itself, before its client and its grant are read. */
interface Claimed extends IssuedFor {
  text: string
  target: Target
  scopes: readonly string[]
  issuedAt: number
  expiresAt: number
  jti: string | undefined
  /** Its resource, the application of the resource, and its signing key. */
  owners: readonly Owner[]
}

/** Whether the text has the form of an access token of this service. Without a query. */
export const isAccessToken = ({ config }: Pick<Context, 'config'>, text: string): boolean =>
  isOpaqueToken(text) || parseJwt(text, accessTokenType, config.PUBLIC_URL) !== undefined

const none: ReadonlySet<string> = new Set()

/**
 * The tokens that are valid, by their text. Whatever can end a token is read after the token. `known`: the texts whose
 * signatures were verified before.
 */
export async function readTokens(
  ctx: Context,
  texts: readonly string[],
  known = none,
): Promise<ReadonlyMap<string, AccessToken>> {
  const directory = await currentDirectory(ctx)
  const jwts = await Promise.all(
    texts.map((text) => claimedByJwt(ctx, directory, { text, isVerified: known.has(text) })),
  )
  const opaque = texts.filter(isOpaqueToken)
  const stored = await claimedByRows(ctx, directory, opaque)
  const claimed = [...jwts, ...stored].filter((one) => one !== undefined)
  // Also for opaque tokens that have ended, so that the time does not tell which ones are stored.
  const wanted = new Set([...claimed.map(({ text }) => text), ...opaque])
  if (wanted.size === 0) return new Map()
  const revoked = await findRevoked(ctx.db, [...wanted].map(tokenIdOf))
  const grants = await grantsOf(ctx, claimed)
  const clients = await clientsById(ctx, claimed, grants)
  const valid = claimed.map((one) => [one.text, validOf(ctx, one, { grants, clients, revoked })] as const)
  return new Map(valid.flatMap(([text, token]) => (token ? [[text, token]] : [])))
}

async function grantsOf(ctx: Context, claimed: readonly Claimed[]): Promise<ReadonlyMap<string, GrantView>> {
  const ids = new Set(claimed.flatMap(({ holder }) => holder.grantId ?? []))
  const views = await findGrantViews(ctx, [...ids], ctx.clock.date())
  // The roles must be at least as late as those that the users were given.
  await ctx.applicationRoles.whenCurrent(views.reduce((most, { grants }) => Math.max(most, grants.version), -1))
  return new Map(views.map((view) => [view.id, view]))
}

async function clientsById(
  ctx: Context,
  claimed: readonly Claimed[],
  grants: ReadonlyMap<string, GrantView>,
): Promise<ReadonlyMap<string, Client>> {
  const ids = new Set([
    ...claimed.flatMap(({ holder }) => (holder.grantId === undefined ? holder.clientId : [])),
    ...[...grants.values()].map(({ client_id }) => client_id),
  ])
  const clients = await findClientViews(ctx, { ids: [...ids] })
  return new Map(clients.map((client) => [client.id, client]))
}

interface Known {
  grants: ReadonlyMap<string, GrantView>
  clients: ReadonlyMap<string, Client>
  revoked: ReadonlySet<string>
}

/**
 * Undefined if the client or the resource was disabled since, if the client lost the resource, if the grant has ended, or if the
 * token was revoked alone. A scope or resource that the client got back counts from then on only.
 */
function validOf(ctx: Context, claimed: Claimed, { grants, clients, revoked }: Known): AccessToken | undefined {
  const { text, holder, clientEpoch, resourceEpoch, owners, ...token } = claimed
  const id = tokenIdOf(text)
  const grant = holder.grantId === undefined ? undefined : grants.get(holder.grantId)
  const client = clients.get(holder.clientId ?? grant?.client_id ?? '')
  if (!client?.isLive || clientEpoch < client.tokensFromEpoch || revoked.has(id)) return undefined
  const hadThen = (one: string) => clientEpoch >= (client.givenFrom.get(one) ?? 0)
  const { target } = token
  if (target !== ownApi) {
    if (!client.resources.includes(target.id) || !hadThen(target.id)) return undefined
    if (resourceEpoch < target.tokensFromEpoch) return undefined
  }
  const end = holder.grantId === undefined ? Number.POSITIVE_INFINITY : endOfGrant(ctx, client, grant)
  if (end === undefined) return undefined
  const has = (scope: string) => client.scopes.includes(scope) && hadThen(scope)
  return {
    ...{ ...token, id, client, grant },
    scopes: token.scopes.filter((scope) => has(scope) && (!grant || grant.scopes.includes(scope))),
    expiresAt: Math.min(token.expiresAt, client.endsAt ?? Number.POSITIVE_INFINITY, end),
    owners: [...client.owners, ...ownersOfGrant(client, grant), ...owners, { id, epoch: 1 }],
  }
}

/** If the client demands a permission, every change of roles can end the token. */
const ownersOfGrant = ({ signIn }: Client, grant: GrantView | undefined): Owner[] =>
  grant
    ? [
        { id: grant.user.id, epoch: Number(grant.user.session_epoch) },
        { id: grant.id, epoch: grant.epoch },
        ...(signIn.requiredPermission === null ? [] : [{ id: allRoles, epoch: grant.grants.version }]),
      ]
    : []

async function claimedByRows(ctx: Context, { resources }: Directory, texts: readonly string[]): Promise<Claimed[]> {
  if (texts.length === 0) return []
  const byHash = new Map(texts.map((text) => [sha256Bytes(text).toString('hex'), text]))
  const hashes = [...byHash.keys()].map((hash) => Buffer.from(hash, 'hex'))
  const rows = await findTokens(ctx.db, hashes, ctx.clock.date())
  return rows.flatMap((row) => {
    const text = byHash.get(row.hash)
    const target = row.resource_id === null ? ownApi : resources.ofId(row.resource_id)
    if (text === undefined || target === undefined) return []
    return {
      text,
      holder: row.grant_id === null ? { clientId: row.client_id } : { grantId: row.grant_id },
      clientEpoch: Number(row.client_epoch),
      resourceEpoch: Number(row.resource_epoch ?? 0),
      target,
      scopes: row.scopes,
      issuedAt: row.created_at.getTime(),
      expiresAt: row.expires_at.getTime(),
      jti: undefined,
      owners: target === ownApi ? [] : target.owners,
    }
  })
}

interface Presented {
  text: string
  /** Whether its signature was verified before. Its key may have been removed since. */
  isVerified: boolean
}

async function claimedByJwt(
  ctx: Context,
  { resources }: Directory,
  { text, isVerified }: Presented,
): Promise<Claimed | undefined> {
  const jwt = parseJwt(text, accessTokenType, ctx.config.PUBLIC_URL)
  const now = ctx.clock.now()
  const key = jwt && (await verificationKeyFor(ctx, jwt.kid))
  if (!jwt || !key || !(isVerified || isSignedBy(key, jwt))) return undefined
  const { aud, exp, iat, scope, jti } = jwt.claims
  const target = typeof aud === 'string' ? resources.find(aud) : undefined
  const issuedFor = parseTokenId(jti)
  const areNumbers = typeof exp === 'number' && typeof iat === 'number'
  if (!target || !issuedFor || !areNumbers || exp * second <= now) return undefined
  return {
    text,
    ...issuedFor,
    target,
    scopes: scopesIn(typeof scope === 'string' ? scope : ''),
    issuedAt: iat * second,
    expiresAt: exp * second,
    jti: typeof jti === 'string' ? jti : undefined,
    owners: [...target.owners, key.owner],
  }
}
