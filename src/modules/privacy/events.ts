import type { Derivations } from '../../audit/derive-events.ts'
import { namesIn } from '../../audit/derive-events.ts'
import type { EventDataOf } from '../../events/schemas.ts'
import type { privacyEventData } from './event-schemas.ts'

type PrivacyEvents = EventDataOf<typeof privacyEventData>

declare module '../../events/types.ts' {
  interface ModuleEventData extends PrivacyEvents {}
}

/** `user.deletion_cancelled` is not derived here because the audit event does not contain `scheduled_for`. */
export const privacyDerivations: Derivations = {
  consent_changed: ({ target, details }) => [
    { type: 'user.privacy_changed', data: { user_id: target, changed: namesIn(details.changed) } },
  ],
  deletion_requested: ({ target, details }) => [
    { type: 'user.deletion_requested', data: { user_id: target, scheduled_for: String(details.scheduled_for) } },
  ],
}
