import type { ServiceEvent } from '../events/types.ts'
import type { AuditEvent } from './events.ts'

/** A successful change, as the audit trail records it. */
export interface AuditedChange {
  target: string
  details: Readonly<Record<string, unknown>>
}

export type Derive = (change: AuditedChange) => ServiceEvent | ServiceEvent[]

export type Derivations = { readonly [Event in AuditEvent]?: Derive }

const only =
  (type: 'created' | 'verified' | 'email_changed' | 'password_changed' | 'unblocked' | 'deleted' | 'restored') =>
  ({ target }: AuditedChange): ServiceEvent => ({ type: `user.${type}`, data: { user_id: target } })

const created = only('created')
const passwordChanged = only('password_changed')

const updated = (user_id: string, changed: string[]): ServiceEvent => ({
  type: 'user.updated',
  data: { user_id, changed },
})

/** The ids are in `sessions` or, for a single session, in `session`. */
const ended: Derive = ({ target, details: { session, sessions, reason = 'logout' } }) =>
  (Array.isArray(sessions) ? sessions : [session].filter(Boolean)).map((id) => ({
    type: 'session.ended',
    data: { user_id: target, session_id: String(id), reason: String(reason) },
  }))

const started: Derive = ({ target, details: { session, application } }) => ({
  type: 'session.created',
  data: {
    user_id: target,
    session_id: String(session),
    application: typeof application === 'string' ? application : null,
  },
})

const identity =
  (type: 'identity.linked' | 'identity.unlinked'): Derive =>
  ({ target, details }) => ({ type, data: { user_id: target, provider: String(details.provider) } })

const namesIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

const isTurnedOn = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'to' in value && value.to === true

const moduleEvents = { install: 'module.installed', upgrade: 'module.upgraded', repair: 'module.repaired' } as const

/** One event for each kind of action, with the components that it concerned. */
const moduleChanged: Derive = ({ details: { module, runtime_scope, run, actions = {} } }) =>
  Object.entries(moduleEvents).flatMap(([action, type]) => {
    const taken = Object.entries(actions as Record<string, string>).filter(([, one]) => one === action)
    const components = taken.map(([component]) => component)
    const about = { module_id: String(module), runtime_scope: String(runtime_scope), run_id: String(run) }
    return components.length > 0 ? [{ type, data: { ...about, components } }] : []
  })

const coreDerivations: Derivations = {
  register: created,
  admin_user_created: created,
  first_admin_created: created,
  verify_ok: only('verified'),
  profile_updated: ({ target, details }) => updated(target, namesIn(details.changed)),
  picture_changed: ({ target }) => updated(target, ['picture']),
  admin_user_updated: ({ target, details }) => [
    updated(target, namesIn(details.changed)),
    ...(isTurnedOn(details.is_verified) ? [only('verified')({ target, details })] : []),
  ],
  email_change_completed: only('email_changed'),
  password_changed: passwordChanged,
  reset_completed: passwordChanged,
  admin_password_set: passwordChanged,
  role_changed: ({ target, details: { from, to } }) => ({
    type: 'user.role_changed',
    data: { user_id: target, from: String(from), to: String(to) },
  }),
  user_blocked: ({ target, details: { until } }) => ({
    type: 'user.blocked',
    data: { user_id: target, until: typeof until === 'string' ? until : null },
  }),
  user_unblocked: only('unblocked'),
  user_deleted: only('deleted'),
  user_restored: only('restored'),
  export_requested: ({ target }) => ({ type: 'user.export_requested', data: { user_id: target } }),
  login_success: started,
  handover_redeemed: started,
  logout: ended,
  session_ended: ended,
  session_limit: (change) => ended({ ...change, details: { ...change.details, reason: 'limit' } }),
  module_installed: moduleChanged,
  social_linked: identity('identity.linked'),
  social_unlinked: identity('identity.unlinked'),
}

const derivations = new Map<string, Derive>(Object.entries(coreDerivations))

export function addDerivations(added: Derivations): void {
  for (const [event, derive] of Object.entries(added)) {
    if (derivations.has(event)) throw new Error(`the audit event ${event} already has an event`)
    derivations.set(event, derive)
  }
}

/** Each change is audited in its transaction, so events derived from the audit trail miss no change. */
export function eventsOf(entry: {
  event: string
  outcome?: string
  target?: string | null | undefined
  details?: Readonly<Record<string, unknown>>
}): ServiceEvent[] {
  const derive = entry.outcome === 'failure' ? undefined : derivations.get(entry.event)
  return derive ? [derive({ target: entry.target ?? '', details: entry.details ?? {} })].flat() : []
}
