import type { Context } from '../../../context.ts'
import { sha256Bytes } from '../../../lib/hash.ts'
import { second } from '../../../lib/time.ts'
import type { Owner } from '../../../lib/versioned-cache.ts'
import { findClientViews } from '../clients/client-queries.ts'
import type { Client } from '../clients/client-view.ts'
import { currentDirectory, type Directory } from '../directory.ts'
import { verificationKeyFor } from '../keys/signing-key.ts'
import { accessTokenType, isSignedBy, parseJwt } from './jwt.ts'
import { findRevoked, findTokens } from './queries.ts'
import { ownApi, scopesIn, type Target } from './scopes.ts'
import { clientOfTokenId } from './token-id.ts'
import { isOpaqueToken, tokenIdOf } from './token-text.ts'

/** An access token that is valid. */
export interface AccessToken {
  /** As an owner. */
  id: string
  client: Client
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

/** The statements of a token about itself, before its client is read. */
interface Claimed {
  text: string
  clientRowId: string
  clientEpoch: number
  target: Target
  scopes: readonly string[]
  issuedAt: number
  expiresAt: number
  jti: string | undefined
  /** Its signing key and resource. */
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
  const stored = await claimedByRows(ctx, directory, texts.filter(isOpaqueToken))
  const claimed = [...jwts, ...stored].filter((one) => one !== undefined)
  if (claimed.length === 0) return new Map()
  const revoked = await findRevoked(
    ctx.db,
    claimed.map(({ text }) => tokenIdOf(text)),
  )
  const clients = await findClientViews(ctx, { ids: [...new Set(claimed.map(({ clientRowId }) => clientRowId))] })
  const byId = new Map(clients.map((client) => [client.id, client]))
  const valid = claimed.map((one) => [one.text, validOf(one, byId.get(one.clientRowId), revoked)] as const)
  return new Map(valid.flatMap(([text, token]) => (token ? [[text, token]] : [])))
}

/** Undefined if the client was disabled since, or if the token was revoked alone. */
function validOf(claimed: Claimed, client: Client | undefined, revoked: ReadonlySet<string>): AccessToken | undefined {
  const { text, clientRowId: _, clientEpoch, owners, ...token } = claimed
  const id = tokenIdOf(text)
  if (!client?.isLive || clientEpoch < client.tokensFromEpoch || revoked.has(id)) return undefined
  if (token.target !== ownApi && !client.resources.includes(token.target.id)) return undefined
  return {
    ...token,
    id,
    client,
    scopes: token.scopes.filter((scope) => client.scopes.includes(scope)),
    expiresAt: Math.min(token.expiresAt, client.endsAt ?? Number.POSITIVE_INFINITY),
    owners: [...client.owners, ...owners, { id, epoch: 1 }],
  }
}

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
      clientRowId: row.client_id,
      clientEpoch: Number(row.client_epoch),
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
  const client = clientOfTokenId(jti)
  const areNumbers = typeof exp === 'number' && typeof iat === 'number'
  if (!target || !client || !areNumbers || exp * second <= now) return undefined
  return {
    text,
    clientRowId: client.id,
    clientEpoch: client.epoch,
    target,
    scopes: scopesIn(typeof scope === 'string' ? scope : ''),
    issuedAt: iat * second,
    expiresAt: exp * second,
    jti: typeof jti === 'string' ? jti : undefined,
    owners: [target.owner, key.owner],
  }
}
