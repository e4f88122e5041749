import type {
  Context,
  EffectiveRoles,
  FoundCredential,
  FoundSession,
  PreparedResponse,
  SessionView,
} from '../context.ts'
import { ownPrefix } from '../http/credentials/scopes.ts'
import { compileSerializer } from '../http/parsing/validation.ts'
import { sha256 } from '../lib/hash.ts'
import { iso } from '../lib/time.ts'
import { bindingOf, bridgeTimesOf, textUntilSource, validatedSession } from '../sessions/bridge-response.ts'
import { ValidatedCredential } from '../sessions/credential-schemas.ts'
import { authenticationOf } from '../sessions/session.ts'
import { bridgeUser } from '../users/shapes.ts'

const serialize = compileSerializer({ schema: ValidatedCredential })

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

interface VisibleScopes {
  /** Those that the credential has at present. */
  scopes: readonly string[]
  /** The application whose bridge secret was sent. */
  applicationId: string | undefined
}

/** Serialized only if the roles, the back end or the scopes have changed since the last use. */
export function prepareCredential(ctx: Context, found: FoundCredential, shown: VisibleScopes): PreparedResponse {
  const { cached, roles } = found
  const known = cached.prepared
  if (
    known?.rolesVersion === roles.version &&
    known.applicationId === shown.applicationId &&
    areEqual(known.scopes, shown.scopes)
  )
    return known.response
  const response = responseOf(ctx, found, shown)
  cached.prepared = { rolesVersion: roles.version, ...shown, response }
  return response
}

const areEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((scope, index) => scope === other[index])

function responseOf(ctx: Context, found: FoundCredential, shown: VisibleScopes): PreparedResponse {
  const { kind, user, key, client, resource, serviceAccount, ipRanges, expiresAt } = found.cached.view
  const permissions = shown.scopes.filter((scope) => !scope.startsWith(ownPrefix))
  const owners = ownersOf(found, shown.applicationId, permissions)
  const content = (lastUsedAt: number | null) =>
    serialize({
      ...absent,
      kind,
      user: user && bridgeUser(ctx, user),
      session: null,
      service_account: serviceAccount,
      key: key && { id: key.id, name: key.name, kind: key.kind, last_used_at: timeOf(lastUsedAt), ip_ranges: ipRanges },
      client,
      permissions,
      scopes: shown.scopes,
      resource: resource?.identifier ?? null,
      expires_at: timeOf(expiresAt),
      authenticated_at: null,
      methods: [],
      owners,
    })
  return {
    text: textUntilSource(content(key?.lastUsedAt ?? null)),
    tag: tagOf(content(null)),
    times: `"expires_at":${JSON.stringify(timeOf(expiresAt))}`,
    more: '',
  }
}

/** Permissions come from the roles of the user; a service account has them itself, from their applications. */
function ownersOf({ cached, roles }: FoundCredential, applicationId: string | undefined, permissions: string[]) {
  const { view } = cached
  const more = view.user
    ? (roles.of(view.grants.ids, applicationId)?.ids ?? [])
    : permissions.map((permission) => roles.applicationOf(permission)).filter((id) => id !== undefined)
  return [...new Set([...view.owners.map(({ id }) => id), ...(permissions.length > 0 ? more : [])])]
}

/** For sessions that are validated as credentials. */
export function prepareSession(
  ctx: Context,
  { cached }: FoundSession,
  roles: EffectiveRoles | undefined,
): PreparedResponse {
  if (cached.asCredential && cached.asCredential.roles === roles) return cached.asCredential.response
  const { view } = cached
  const unused = { ...view, session: { ...view.session, last_used_at: new Date(0) } }
  const response = {
    text: textUntilSource(sessionContent(ctx, view, roles)),
    tag: tagOf(sessionContent(ctx, unused, roles)),
    times: bridgeTimesOf(ctx, cached),
    more: bindingOf(ctx, cached),
  }
  cached.asCredential = { roles, response }
  return response
}

function sessionContent(ctx: Context, view: SessionView, roles: EffectiveRoles | undefined): string {
  const { user, session, expires_at } = validatedSession(ctx, view)
  return serialize({
    ...absent,
    kind: 'session',
    user,
    session,
    ...(roles && { roles: roles.roles, permissions: roles.permissions }),
    expires_at,
    ...authenticationOf(view),
    owners: [...view.owners.map(({ id }) => id), ...(roles?.ids ?? [])],
  })
}

const tagOf = (content: string): string => sha256(content).slice(0, 22)

const timeOf = (time: number | null): string | null => (time === null ? null : iso(time))
