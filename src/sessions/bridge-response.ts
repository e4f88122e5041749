import type { CachedSession, Context, EffectiveRoles, FoundSession, SessionView } from '../context.ts'
import { compileSerializer } from '../http/parsing/validation.ts'
import { toAscii } from '../http/responses/send-prepared.ts'
import { sha256 } from '../lib/hash.ts'
import { iso } from '../lib/time.ts'
import { bridgeUser } from '../users/shapes.ts'
import { bindingHashes } from './binding.ts'
import { ValidatedSession } from './bridge-schemas.ts'
import { applicationMembers, confirmationMember } from './columns.ts'
import { expiresAtOf } from './responses.ts'
import { authenticationOf } from './session.ts'

const serialize = compileSerializer({ schema: ValidatedSession })

type Roles = EffectiveRoles | undefined

/** Only the last members depend on the request, so the others are serialized once per cached session. */
export function bridgeResponse(ctx: Context, found: FoundSession, roles: Roles, timestamp: string): string {
  return `${beginningWith(ctx, found.cached, roles)}${endOf(found, timestamp)}}`
}

/** If `tag` matches, the back end already has the content, so only the times and the age are returned. */
export function bridgeResponseIfChanged(
  ctx: Context,
  found: FoundSession,
  tag: string | undefined,
  { timestamp, age, roles }: { timestamp: string; age: number; roles: Roles },
): string {
  const { cached } = found
  cached.bridgeTag ??= tagOf(ctx, cached)
  const currentTag = roles ? cached.bridgeTag + roles.tag : cached.bridgeTag
  if (tag !== currentTag) {
    const binding = bindingOf(ctx, cached)
    return `${beginningWith(ctx, cached, roles)}${endOf(found, timestamp)},"age":${age},"tag":"${currentTag}"${binding}}`
  }
  return `{"success":true,"unchanged":true,${bridgeTimesOf(ctx, cached)},"timestamp":"${timestamp}","age":${age}}`
}

/** The tag does not depend on the time of last use or on the expiry calculated from it. */
function tagOf(ctx: Context, cached: CachedSession): string {
  const { view } = cached
  const session = { ...view.session, last_used_at: new Date(0) }
  return sha256(serialize(validatedSession(ctx, { ...view, session })) + bindingOf(ctx, cached)).slice(0, 22)
}

export const bindingOf = ({ config }: Context, { key, view }: CachedSession): string =>
  config.SESSION_BINDING === 'enforce' ? `,"binding":${JSON.stringify(bindingHashes(key, view))}` : ''

export const bridgeTimesOf = (ctx: Context, cached: FoundSession['cached']): string => {
  const { view } = cached
  cached.bridgeTimes ??= `"last_used_at":"${iso(view.session.last_used_at)}","expires_at":"${expiresAtOf(ctx, view)}"`
  return cached.bridgeTimes
}

/** The roles are owners, too. Their text is shared by all sessions with the same roles. */
function beginningWith(ctx: Context, cached: CachedSession, roles: Roles): string {
  const beginning = beginningOf(ctx, cached)
  if (!roles) return beginning
  const { owners } = cached.view
  // With several owners, the text ends with a list of them.
  return `${owners.length > 1 ? beginning.slice(0, -2) : `${beginning}"owners":["${owners[0]?.id}"`},${roles.text}`
}

const beginningOf = (ctx: Context, cached: FoundSession['cached']): string => {
  cached.bridgeResponse ??= textUntilSource(serialize(validatedSession(ctx, cached.view)))
  return cached.bridgeResponse
}

const endOf = ({ source }: FoundSession, timestamp: string): string =>
  `"cached":${source !== 'database'},"cacheSource":"${source}","timestamp":"${timestamp}"`

const untilRequest = '"cached":true,"cacheSource":"memory","timestamp":""'

/**
 * The text without the members that depend on the request. Optional members follow them. The search cannot match text
 * inside a value, because JSON escapes the quotes in values.
 */
export function textUntilSource(json: string): string {
  const at = json.lastIndexOf(untilRequest)
  const optional = json.slice(at + untilRequest.length + 1, -1)
  return toAscii(json.slice(0, at) + (optional === '' ? '' : `${optional},`))
}

export function validatedSession(ctx: Context, view: SessionView) {
  const { session } = view
  const expires = expiresAtOf(ctx, view)
  return {
    success: true as const,
    user: bridgeUser(ctx, view.user),
    session: {
      id: session.id,
      userId: session.user_id,
      expiresAt: expires,
      ipAddress: session.ip_address,
      userAgent: session.user_agent,
      lastUsedAt: iso(session.last_used_at),
      ...confirmationMember(session),
      ...applicationMembers(session),
      impersonatedBy: session.impersonated_by,
      ...(ctx.config.CLIENT_COMPAT && { user_id: session.user_id, expires_at: expires }),
    },
    expires_at: expires,
    ...authenticationOf(view),
    ...(view.owners.length > 1 && { owners: view.owners.map(({ id }) => id) }),
    cached: true,
    cacheSource: 'memory' as const,
    timestamp: '',
  }
}
