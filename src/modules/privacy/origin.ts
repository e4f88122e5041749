import type { UserRow } from '../../context.ts'
import type { Device } from '../../http/access/device.ts'
import type { Source } from './history.ts'

/** When a user is deleted, a foreign key and a trigger detach the history from the user; everything else is deleted. */
export interface Origin {
  actor: UserRow
  source: Source
  device: Device
}
