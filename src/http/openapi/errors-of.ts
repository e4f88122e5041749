import { type ErrorCode, sessionPending, statusOf } from '../../lib/errors.ts'
import { isPrivileged, type RouteAccess } from '../access/access.ts'
import { passwordMembersOf } from '../access/password-gate.ts'
import type { KnownRoute } from '../server/route-table.ts'

declare module 'fastify' {
  interface FastifySchema {
    errors?: readonly (ErrorCode | readonly [status: number, code: ErrorCode])[]
  }
}

const ofModules = new Map<string, ErrorCode[]>()

/** Adds a module's errors to the descriptions of core routes, by `operationId`. */
export function addRouteErrors(errors: Readonly<Record<string, readonly ErrorCode[]>>): void {
  for (const [id, codes] of Object.entries(errors)) ofModules.set(id, [...(ofModules.get(id) ?? []), ...codes])
}

export function errorsOf({
  method,
  rule,
  schema,
}: Pick<KnownRoute, 'method' | 'rule' | 'schema'>): Map<number, ErrorCode[]> {
  const implied: ErrorCode[] = [
    'VALIDATION_ERROR',
    ...ofAccess(rule.access),
    ...(rule.access.session === 'none' || rule.whileImpersonating === 'allowed' ? [] : (['IMPERSONATED'] as const)),
    // Invalid path parameters lead to NOT_FOUND.
    ...(schema.params ? (['NOT_FOUND'] as const) : []),
    ...(passwordMembersOf(schema).length > 0 ? (['PASSWORDS_DISABLED'] as const) : []),
    ...(rule.forEndUsers ? ofBridge : []),
    ...(rule.module ? (['module_not_installed', 'MODULE_DISABLED'] as const) : []),
    // Other operations check a body even if they do not use it.
    ...(method !== 'GET' && !rule.forGateways ? (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...ofEveryRoute,
  ]
  const codes = [...(schema.errors ?? []), ...(ofModules.get(schema.operationId ?? '') ?? [])]
  const declared = codes.map((one) => (typeof one === 'string' ? ([statusOf(one), one] as const) : one))
  const byStatus = new Map<number, ErrorCode[]>()
  for (const [status, code] of [...declared, ...implied.map((code) => [statusOf(code), code] as const)]) {
    const known = byStatus.get(status) ?? []
    if (!known.includes(code)) byStatus.set(status, [...known, code])
  }
  return new Map([...byStatus].toSorted(([one], [other]) => one - other))
}

const ofBridge = ['BRIDGE_SECRET_REQUIRED', 'FORBIDDEN', 'NOT_CONFIGURED'] as const
const ofEveryRoute = ['RATE_LIMITED', 'INTERNAL_ERROR', 'UNAVAILABLE'] as const

const ofKeys = ['INVALID_CREDENTIAL', 'KEY_PAUSED', 'KEY_NETWORK', 'INSUFFICIENT_SCOPE'] as const

function ofAccess(access: RouteAccess): ErrorCode[] {
  const { bridge, session, scope, recovery, notForApplications, adminReauth } = access
  const needsSession = session === 'any' || session === 'full' || session === 'recovery'
  return [
    ...(bridge === 'none' ? [] : ofBridge),
    ...(needsSession ? (['INVALID_SESSION', 'SESSION_EXPIRED'] as const) : []),
    ...(needsSession && !recovery ? ([sessionPending] as const) : []),
    ...(session === 'none' ? [] : (['CSRF_REJECTED'] as const)),
    ...(session === 'none' ? [] : scope ? ofKeys : (['KEY_NOT_ACCEPTED'] as const)),
    ...(isPrivileged(access) || notForApplications || session === 'recovery' ? (['FORBIDDEN'] as const) : []),
    ...(adminReauth ? (['REAUTH_REQUIRED'] as const) : []),
  ]
}
