import type { UserRow } from '../../context.ts'
import type { Device } from '../../http/access/device.ts'
import type { Source } from './history.ts'

/** Who wants something done for a user, and from where. */
export interface Origin {
  actor: UserRow
  source: Source
  device: Device
}
