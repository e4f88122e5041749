import { type AuditedChange, type Derivations, namesIn, textOrNull } from '../../audit/derive-events.ts'
import type { EventDataOf } from '../../events/schemas.ts'
import type { ServiceEvent } from '../../events/types.ts'
import type { keyEventData } from './event-schemas.ts'

type KeyEvents = EventDataOf<typeof keyEventData>

declare module '../../events/types.ts' {
  interface ModuleEventData extends KeyEvents {}
}

const holderOf = ({ target, details }: AuditedChange) => ({
  user_id: target === '' ? null : target,
  service_account_id: textOrNull(details.service_account),
})

const created = (change: AuditedChange): ServiceEvent[] => {
  const { key, replaces } = change.details
  const data = { key_id: String(key), ...holderOf(change), replaces: textOrNull(replaces) }
  return [{ type: 'key.created', data }]
}

/** One audit event can concern several keys of a user or service account. */
const revoked = (change: AuditedChange): ServiceEvent[] => {
  const { keys, reason } = change.details
  return namesIn(keys).map((key_id) => ({
    type: 'key.revoked',
    data: { key_id, ...holderOf(change), reason: String(reason) },
  }))
}

export const keyDerivations: Derivations = {
  api_key_created: created,
  api_key_rotated: created,
  api_key_revoked: revoked,
  api_key_reported: revoked,
  api_key_expired: (change) =>
    namesIn(change.details.keys).map((key_id) => ({ type: 'key.expired', data: { key_id, ...holderOf(change) } })),
}
