import type { CachedCredential, Context, FoundCredential, FoundSession, SessionView } from '../context.ts'
import { ownPrefix } from '../http/credentials/scopes.ts'
import { compileSerializer } from '../http/parsing/validation.ts'
import { sha256 } from '../lib/hash.ts'
import { iso } from '../lib/time.ts'
import { bindingOf, bridgeTimesOf, textUntilSource, validatedSession } from '../sessions/bridge-response.ts'
import { ValidatedCredential } from '../sessions/credential-schemas.ts'
import { authenticationOf } from '../sessions/session.ts'
import { bridgeUser } from '../users/shapes.ts'

const serialize = compileSerializer({ schema: ValidatedCredential })

/** A response, with the members that depend on the request missing at the end. */
export interface Prepared {
  text: string
  /** Identifies the content, without the times of last use and expiry. */
  tag: string
  /** Replaces the content if the caller already has it. */
  times: string
  /** Further members for callers with a cache, each preceded by a comma. */
  more: string
}

const absent = {
  success: true as const,
  service_account: null,
  key: null,
  client: null,
  roles: [],
  permissions: [],
  scopes: [],
  resource: null,
  cached: true,
  cacheSource: 'memory' as const,
  timestamp: '',
}

/** `scopes` are those that the credential has at present. */
export function prepareCredential(ctx: Context, { cached }: FoundCredential, scopes: readonly string[]): Prepared {
  const made = `${scopes.join(' ')} ${ctx.config.CLIENT_COMPAT}`
  if (cached.prepared?.for !== made) cached.prepared = { for: made, ...textOf(ctx, cached, scopes) }
  const { text, tag } = cached.prepared
  return { text, tag, times: `"expires_at":${JSON.stringify(timeOf(cached.view.expiresAt))}`, more: '' }
}

function textOf(ctx: Context, { view }: CachedCredential, scopes: readonly string[]) {
  const { kind, user, key, owners } = view
  const content = (lastUsedAt: string | null) =>
    serialize({
      ...absent,
      kind,
      user: user && bridgeUser(ctx, user),
      session: null,
      service_account: view.serviceAccount,
      key: key && {
        id: key.id,
        name: key.name,
        kind: key.kind,
        last_used_at: lastUsedAt,
        ip_ranges: view.ipRanges,
      },
      permissions: scopes.filter((scope) => !scope.startsWith(ownPrefix)),
      scopes,
      expires_at: timeOf(view.expiresAt),
      authenticated_at: null,
      methods: [],
      owners: owners.map(({ id }) => id),
    })
  const lastUsedAt = key ? timeOf(key.lastUsedAt) : null
  return { text: textUntilSource(content(lastUsedAt)), tag: tagOf(content(null)) }
}

/** For sessions that are validated as credentials. */
export function prepareSession(ctx: Context, { cached }: FoundSession): Prepared {
  const { view } = cached
  const tag = tagOf(sessionContent(ctx, { ...view, session: { ...view.session, last_used_at: new Date(0) } }))
  return {
    text: textUntilSource(sessionContent(ctx, view)),
    tag,
    times: bridgeTimesOf(ctx, cached),
    more: bindingOf(ctx, cached),
  }
}

function sessionContent(ctx: Context, view: SessionView): string {
  const { user, session, expires_at } = validatedSession(ctx, view)
  return serialize({
    ...absent,
    kind: 'session',
    user,
    session,
    expires_at,
    ...authenticationOf(view),
    owners: view.owners.map(({ id }) => id),
  })
}

const tagOf = (content: string): string => sha256(content).slice(0, 22)

const timeOf = (time: number | null): string | null => (time === null ? null : iso(time))
