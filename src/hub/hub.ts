import type { Database } from '../db/connect.ts'
import type { InstalledModules } from './installed.ts'

/** What installing needs beside the context. */
export interface Hub extends Pick<Database, 'exclusive' | 'isLocked'> {
  installed: InstalledModules
}

/** Of the hub's own tables. */
export const hubVersion = '1.0.0'
