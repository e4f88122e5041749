import type { Context, FoundCredential } from '../../../context.ts'
import { effectiveScopes, ownPrefix } from '../../../http/credentials/scopes.ts'
import { second } from '../../../lib/time.ts'
import type { Client } from '../clients/client-view.ts'
import { currentDirectory } from '../directory.ts'
import { isOidcScope } from '../oidc-scopes.ts'
import { accessTokenType, parseJwt } from '../token/jwt.ts'
import { readRefreshToken } from '../token/read-refresh-token.ts'
import { isRefreshToken } from '../token/refresh-text.ts'

const inactive = { active: false } as const

interface Introspecting {
  asking: Client
  isMinimal: boolean
  /** Records that the client may not know about the token. After the response, whose time would tell that the token is valid. */
  noteRejection(): void
}

/** RFC 7662, 2.2. Everything that the client may not know about looks like a token that does not exist. */
export async function introspect(ctx: Context, { asking, isMinimal, noteRejection }: Introspecting, text: string) {
  const { credentials, clock } = ctx
  if (isRefreshToken(text)) return introspectRefreshToken(ctx, asking, { isMinimal, text })
  const provider = credentials.recognize(text)
  const found = credentials.recall(text) ?? (await credentials.load(text, { freshness: 'copy' }))
  if (!provider || !found) return inactive
  const { view } = found.cached
  const shown = view.kind === 'token' ? await tokenFor(ctx, asking, found, text) : keyFor(ctx, asking, found)
  if (!shown) {
    if (view.kind === 'token') noteRejection()
    return inactive
  }
  provider.noteUse(found.cached, { now: clock.now(), address: undefined })
  const { scopes, ...members } = shown
  const exp = view.expiresAt !== null && { exp: Math.floor(view.expiresAt / second) }
  if (isMinimal) return { active: true, ...exp }
  return { active: true, ...(scopes.length > 0 && { scope: scopes.join(' ') }), ...members, ...exp }
}

/** Only for the client to which it was issued. From the database, because each is used once. */
async function introspectRefreshToken(
  ctx: Context,
  asking: Client,
  { isMinimal, text }: { isMinimal: boolean; text: string },
) {
  const token = await readRefreshToken(ctx, text)
  if (token?.client.id !== asking.id) return inactive
  const exp = Math.floor(token.expiresAt / second)
  if (isMinimal) return { active: true, exp }
  const { user, scopes } = token.grant
  const about = { client_id: asking.clientId, sub: user.id, username: user.user_name, iss: ctx.config.PUBLIC_URL }
  return { active: true, scope: scopes.join(' '), ...about, token_type: 'refresh_token', kind: 'token', exp }
}

/** Undefined unless the token is the client's own, or for one of the resources that the client serves. */
async function tokenFor(ctx: Context, asking: Client, found: FoundCredential, text: string) {
  const { client, resource, issuedAt, user, scopes } = found.cached.view
  const { resources } = await currentDirectory(ctx)
  if (!client || !resource) return undefined
  const id = resources.find(resource.identifier)?.id
  const serves = asking.type === 'resource_server' && id !== undefined && asking.resources.includes(id)
  if (!serves && client.id !== asking.clientId) return undefined
  const jti = parseJwt(text, accessTokenType, ctx.config.PUBLIC_URL)?.claims.jti
  return {
    // The claims of a user are of no concern to APIs.
    scopes: [
      ...scopesOf(ctx, found, resource.applicationId ?? undefined),
      ...(client.id === asking.clientId ? scopes.filter(isOidcScope) : []),
    ],
    client_id: client.id,
    sub: user?.id ?? client.id,
    ...(user && { username: user.user_name }),
    token_type: 'Bearer',
    kind: 'token',
    aud: resource.identifier,
    iss: ctx.config.PUBLIC_URL,
    ...(issuedAt !== null && { iat: Math.floor(issuedAt / second) }),
    ...(typeof jti === 'string' && { jti }),
  }
}

/**
 * Undefined unless the key has a permission of the resource server's application, which only sees these. A key that is limited
 * to networks is inactive, because introspection does not say who uses it.
 */
function keyFor(ctx: Context, asking: Client, found: FoundCredential) {
  const { user, serviceAccount, ipRanges, isPaused } = found.cached.view
  if (asking.type !== 'resource_server' || ipRanges.length > 0 || isPaused) return undefined
  const scopes = scopesOf(ctx, found, asking.application.id).filter((scope) => !scope.startsWith(ownPrefix))
  if (scopes.length === 0) return undefined
  const sub = user?.id ?? serviceAccount?.id
  return {
    scopes,
    token_type: 'api_key',
    kind: 'api_key',
    ...(sub && { sub }),
    ...(user && { username: user.user_name }),
  }
}

/** Those that the credential has now. */
const scopesOf = (ctx: Context, { cached, roles }: FoundCredential, applicationId: string | undefined) =>
  effectiveScopes(ctx, cached.view, { roles, applicationId })
