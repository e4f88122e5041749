import { allRoles } from '../../../context/roles.ts'
import type { Context } from '../../../context.ts'
import { sha256Bytes } from '../../../lib/hash.ts'
import { second } from '../../../lib/time.ts'
import type { Owner } from '../../../lib/versioned-cache.ts'
import { absoluteEnd, stateOf } from '../../../sessions/session.ts'
import { mayUse } from '../authorize/decide.ts'
import { findClientViews } from '../clients/client-queries.ts'
import type { Client } from '../clients/client-view.ts'
import { currentDirectory, type Directory } from '../directory.ts'
import { findGrantViews, type GrantView } from '../grants/grant-view-queries.ts'
import { verificationKeyFor } from '../keys/signing-key.ts'
import { accessTokenType, isSignedBy, parseJwt } from './jwt.ts'
import { findRevoked, findTokens } from './queries.ts'
import { ownApi, scopesIn, type Target } from './scopes.ts'
import { clientOfTokenId, grantOfTokenId } from './token-id.ts'
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
interface Claimed {
  text: string
  holder: Holder
  target: Target
  scopes: readonly string[]
  issuedAt: number
  expiresAt: number
  jti: string | undefined
  /** Its signing key and resource. */
  owners: readonly Owner[]
}

/** The token of a machine names its client, and that of a user its grant. */
type Holder = { clientId: string; epoch: number; grantId?: never } | { grantId: string }

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
  const stored = await claimedByRows(ctx, directory, texts.filter(isOpaqueToken))
  const claimed = [...jwts, ...stored].filter((one) => one !== undefined)
  if (claimed.length === 0) return new Map()
  const revoked = await findRevoked(
    ctx.db,
    claimed.map(({ text }) => tokenIdOf(text)),
  )
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
  if (ids.size === 0) return new Map()
  const clients = await findClientViews(ctx, { ids: [...ids] })
  return new Map(clients.map((client) => [client.id, client]))
}

interface Known {
  grants: ReadonlyMap<string, GrantView>
  clients: ReadonlyMap<string, Client>
  revoked: ReadonlySet<string>
}

/** Undefined if the client was disabled since, if the grant has ended, or if the token was revoked alone. */
function validOf(ctx: Context, claimed: Claimed, { grants, clients, revoked }: Known): AccessToken | undefined {
  const { text, holder, owners, ...token } = claimed
  const id = tokenIdOf(text)
  const grant = holder.grantId === undefined ? undefined : grants.get(holder.grantId)
  const isOfMachine = holder.grantId === undefined
  const client = clients.get(isOfMachine ? holder.clientId : (grant?.client_id ?? ''))
  const epoch = isOfMachine ? holder.epoch : (grant?.client_epoch ?? -1)
  if (!client?.isLive || epoch < client.tokensFromEpoch || revoked.has(id)) return undefined
  if (token.target !== ownApi && !client.resources.includes(token.target.id)) return undefined
  const end = isOfMachine ? undefined : endOfGrant(ctx, client, grant)
  if (!isOfMachine && end === undefined) return undefined
  return {
    ...{ ...token, id, client, grant },
    scopes: token.scopes.filter((scope) => client.scopes.includes(scope) && (!grant || grant.scopes.includes(scope))),
    expiresAt: Math.min(token.expiresAt, client.endsAt ?? Number.POSITIVE_INFINITY, end ?? Number.POSITIVE_INFINITY),
    owners: [...client.owners, ...ownersOfGrant(client, grant), ...owners, { id, epoch: 1 }],
  }
}

/** In milliseconds since 1970. Undefined if the session is over, or if the user may not use the client any longer. */
function endOfGrant(ctx: Context, client: Client, grant: GrantView | undefined): number | undefined {
  if (!grant) return undefined
  const { user, session, grants } = grant
  const roles = ctx.applicationRoles.current()
  const hasPermission = (permission: string) => roles.of(grants.ids)?.has(permission) === true
  if (!mayUse(client, { user, hasPermission })) return undefined
  if (grant.is_offline) return grant.expires_at.getTime()
  const isLive = session && stateOf(ctx.config, session, user.user_type, ctx.clock.now()) === 'live'
  return isLive ? Math.min(grant.expires_at.getTime(), absoluteEnd(ctx.config, session, user.user_type)) : undefined
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
      holder:
        row.grant_id === null
          ? { clientId: row.client_id, epoch: Number(row.client_epoch) }
          : { grantId: row.grant_id },
      target,
      scopes: row.scopes,
      issuedAt: row.created_at.getTime(),
      expiresAt: row.expires_at.getTime(),
      jti: undefined,
      owners: target === ownApi ? [] : [target.owner],
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
  const holder = holderOf(jti)
  const areNumbers = typeof exp === 'number' && typeof iat === 'number'
  if (!target || !holder || !areNumbers || exp * second <= now) return undefined
  return {
    text,
    holder,
    target,
    scopes: scopesIn(typeof scope === 'string' ? scope : ''),
    issuedAt: iat * second,
    expiresAt: exp * second,
    jti: typeof jti === 'string' ? jti : undefined,
    owners: [target.owner, key.owner],
  }
}

function holderOf(jti: unknown): Holder | undefined {
  const grantId = grantOfTokenId(jti)
  if (grantId !== undefined) return { grantId }
  const client = clientOfTokenId(jti)
  return client && { clientId: client.id, epoch: client.epoch }
}
