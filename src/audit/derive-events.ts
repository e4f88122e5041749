import type { ServiceEvent } from '../events/types.ts'
import type { AuditEvent } from './events.ts'

/** A successful change, as the audit trail records it. */
export interface AuditedChange {
  target: string
  details: Readonly<Record<string, unknown>>
}

export type Derivation = (change: AuditedChange) => ServiceEvent[]

export type Derivations = { readonly [Event in AuditEvent]?: Derivation }

const only =
  (
    type: 'created' | 'email_changed' | 'password_changed' | 'unblocked' | 'deleted' | 'restored' | 'export_requested',
  ) =>
  ({ target }: AuditedChange): ServiceEvent[] => [{ type: `user.${type}`, data: { user_id: target } }]

/** The details of audit events are not typed, so these functions check the types. */
export const namesIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
export const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Returns no event if `changed` is empty, for example because a phone number became trusted but did not change. */
export const updated = (user_id: string, changed: string[]): ServiceEvent[] =>
  changed.length === 0 ? [] : [{ type: 'user.updated', data: { user_id, changed } }]

const changedMembers: Derivation = ({ target, details }) => updated(target, namesIn(details.changed))

const sessionCreated: Derivation = ({ target, details }) => [
  {
    type: 'session.created',
    data: {
      user_id: target,
      session_id: String(details.session),
      parent_id: textOrNull(details.parent),
      application: textOrNull(details.application),
      application_id: textOrNull(details.application_id),
      impersonated: details.proof === 'impersonation',
    },
  },
]

const sessionsEnded = (user_id: string, ids: readonly string[], reason: string): ServiceEvent[] =>
  ids.map((session_id) => ({ type: 'session.ended', data: { user_id, session_id, reason } }))

const sessionEnded =
  (reason: string): Derivation =>
  ({ target, details: { session, sessions, ...details } }) =>
    sessionsEnded(
      target,
      [...namesIn(sessions), ...namesIn([session].filter(Boolean))],
      textOrNull(details.reason) ?? reason,
    )

/** With the scope `sign_in`, signing out ended the browser session and, with it, the application session. */
const signedOut: Derivation = ({ target, details: { session, parent, scope } }) =>
  sessionsEnded(target, [String(scope === 'sign_in' ? parent : session)], 'logout')

const identity =
  (type: 'identity.linked' | 'identity.unlinked'): Derivation =>
  ({ target, details }) => [{ type, data: { user_id: target, provider: String(details.provider) } }]

const passkeyEvent = (type: 'passkey.added' | 'passkey.removed', user_id: string, id: unknown): ServiceEvent => ({
  type,
  data: { user_id, passkey_id: String(id) },
})

const passkey =
  (type: 'passkey.added' | 'passkey.removed'): Derivation =>
  ({ target, details }) => [passkeyEvent(type, target, details.passkey)]

/** A registration through a provider records no separate audit event for the identity. */
const firstIdentity: Derivation = (change) =>
  change.details.by === 'social' ? identity('identity.linked')(change) : []

export const passkeysRemoved: Derivation = ({ target, details }) =>
  namesIn(details.passkeys).map((id) => passkeyEvent('passkey.removed', target, id))

/** Second factors are removed as well. The module that manages second factors derives the events for them. */
const credentialsRemoved: Derivation = (change) => {
  const { target, details } = change
  const removed = namesIn(details.removed)
  return [
    ...(removed.includes('password') ? only('password_changed')(change) : []),
    ...updated(
      target,
      removed.filter((name) => name === 'phone' || name === 'two_factor'),
    ),
    ...namesIn(details.providers).flatMap((provider) =>
      identity('identity.unlinked')({ target, details: { provider } }),
    ),
    ...passkeysRemoved(change),
  ]
}

const adminUpdated: Derivation = (change) => {
  const { is_verified: flag } = change.details
  const isVerified = typeof flag === 'object' && flag !== null && 'to' in flag && flag.to === true
  const verified: ServiceEvent = { type: 'user.verified', data: { user_id: change.target } }
  return [...changedMembers(change), ...(isVerified ? [verified] : [])]
}

const moduleEvents = { install: 'module.installed', upgrade: 'module.upgraded', repair: 'module.repaired' } as const

const moduleChanged: Derivation = ({ details: { module, runtime_scope, run, actions } }) => {
  const taken = Object.entries(actions ?? {})
  const about = { module_id: String(module), runtime_scope: String(runtime_scope), run_id: String(run) }
  return Object.entries(moduleEvents).flatMap(([action, type]) => {
    const components = taken.filter(([, one]) => one === action).map(([component]) => component)
    return components.length > 0 ? [{ type, data: { ...about, components } }] : []
  })
}

const application =
  (type: 'created' | 'enabled' | 'disabled' | 'deleted' | 'restored'): Derivation =>
  ({ details }) => [{ type: `application.${type}`, data: applicationIn(details) }]

const roleChanged: Derivation = ({ details }) => [
  {
    type: 'role.changed',
    data: { ...applicationIn(details), role_id: String(details.role_id), role: String(details.role) },
  },
]

const rolesChanged =
  (member: 'granted' | 'revoked'): Derivation =>
  ({ target, details }) => {
    const data = { user_id: target, granted: [], revoked: [] }
    return [{ type: 'user.roles_changed', data: { ...data, [member]: namesIn(details.roles) } }]
  }

const applicationIn = ({ application: id, key }: AuditedChange['details']) => ({
  application_id: String(id),
  key: String(key),
})

const coreDerivations: Derivations = {
  register: (change) => [...only('created')(change), ...firstIdentity(change)],
  admin_user_created: only('created'),
  first_admin_created: only('created'),
  profile_updated: changedMembers,
  picture_changed: ({ target }) => updated(target, ['picture']),
  admin_user_updated: adminUpdated,
  email_change_completed: only('email_changed'),
  password_changed: only('password_changed'),
  reset_completed: only('password_changed'),
  admin_password_set: only('password_changed'),
  credentials_removed: credentialsRemoved,
  role_changed: ({ target, details: { from, to } }) => [
    { type: 'user.role_changed', data: { user_id: target, from: String(from), to: String(to) } },
  ],
  user_blocked: ({ target, details: { until } }) => [
    { type: 'user.blocked', data: { user_id: target, until: textOrNull(until) } },
  ],
  user_unblocked: only('unblocked'),
  user_deleted: only('deleted'),
  user_restored: only('restored'),
  export_requested: only('export_requested'),
  login_success: sessionCreated,
  handover_redeemed: sessionCreated,
  impersonation_started: sessionCreated,
  impersonation_ended: sessionEnded('impersonation_ended'),
  logout: signedOut,
  session_ended: sessionEnded('logout'),
  session_limit: sessionEnded('limit'),
  module_installed: moduleChanged,
  application_created: application('created'),
  application_updated: ({ details }) => [
    { type: 'application.updated', data: { ...applicationIn(details), changed: namesIn(details.changed) } },
  ],
  application_enabled: application('enabled'),
  application_disabled: application('disabled'),
  application_deleted: application('deleted'),
  application_restored: application('restored'),
  application_role_created: roleChanged,
  application_role_updated: roleChanged,
  application_role_deleted: roleChanged,
  roles_granted: rolesChanged('granted'),
  roles_revoked: rolesChanged('revoked'),
  social_linked: identity('identity.linked'),
  social_unlinked: identity('identity.unlinked'),
  passkey_added: passkey('passkey.added'),
  passkey_removed: passkey('passkey.removed'),
  passkeys_reset: (change) => [
    ...passkeysRemoved(change),
    ...updated(change.target, change.details.two_factor === false ? ['two_factor'] : []),
  ],
}

const declared: Derivations[] = [coreDerivations]

/** Both the core and modules can derive events from the same audit event. */
export const addDerivations = (added: Derivations): void => void declared.push(added)

interface Entry {
  event: AuditEvent
  outcome?: 'success' | 'failure'
  target?: string | undefined
  details?: Readonly<Record<string, unknown>> | undefined
}

/** Every change is audited in the same transaction, so events derived from the audit trail cover every change. */
export const eventsOf = ({ event, outcome, target = '', details = {} }: Entry): ServiceEvent[] =>
  outcome === 'failure' ? [] : declared.flatMap((derivations) => derivations[event]?.({ target, details }) ?? [])
