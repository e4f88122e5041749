import type { Database } from '../db/connect.ts'
import type { InstalledModules } from './installed.ts'

export interface Hub extends Pick<Database, 'exclusive' | 'isLocked'> {
  installed: InstalledModules
}

/** Version of the hub's own tables. */
export const hubVersion = '1.0.0'
