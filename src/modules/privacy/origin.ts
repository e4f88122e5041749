import type { UserRow } from '../../context.ts'
import type { RequestDevice } from '../../http/access/device.ts'
import type { PrivacyEventSource } from './history.ts'

/** When a user is deleted, a foreign key and a trigger detach the history from the user; everything else is deleted. */
export interface PrivacyEventOrigin {
  actor: UserRow
  source: PrivacyEventSource
  device: RequestDevice
}
