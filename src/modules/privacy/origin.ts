import type { UserRow } from '../../context.ts'
import type { Device } from '../../http/access/device.ts'
import type { Source } from './history.ts'

export interface Origin {
  actor: UserRow
  source: Source
  device: Device
}
