import { type AuditedChange, type Derivations, namesIn } from '../../../audit/derive-events.ts'
import type { EventDataOf } from '../../../events/schemas.ts'
import type { ServiceEvent } from '../../../events/types.ts'
import type { clientEventData } from './event-schemas.ts'

type ClientEvents = EventDataOf<typeof clientEventData>

declare module '../../../events/types.ts' {
  interface ModuleEventData extends ClientEvents {}
}

const clientIdIn = ({ details }: AuditedChange): string => String(details.client)

/** The audit trail names columns. */
const memberOf = (column: string): string => column.replace(/^is_/, '')

const updated = (change: AuditedChange, changed = namesIn(change.details.changed).map(memberOf)): ServiceEvent[] => [
  { type: 'client.updated', data: { client_id: clientIdIn(change), changed } },
]

const otherSecrets = (change: AuditedChange): ServiceEvent[] => updated(change, ['secrets'])

export const clientDerivations: Derivations = {
  oauth_client_created: (change) => [{ type: 'client.created', data: { client_id: clientIdIn(change) } }],
  oauth_client_updated: (change) => updated(change),
  oauth_client_disabled: (change) => updated(change),
  oauth_client_secret_added: otherSecrets,
  oauth_client_secret_removed: otherSecrets,
  oauth_client_deleted: (change) => [{ type: 'client.deleted', data: { client_id: clientIdIn(change) } }],
}
