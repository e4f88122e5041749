import type { Generated } from 'kysely'

// Adds this module's table, column, setting and error code to the service's types.
declare module '../../src/db/tables.ts' {
  interface Tables {
    user_notes: { id: string; user_id: string; note: string; created_at: Date }
  }
}

declare module '../../src/db/rows/users.ts' {
  interface ModuleUserColumns {
    keeps_notes: Generated<boolean>
  }
}

declare module '../../src/config/load.ts' {
  interface Config {
    readonly NOTES_MAX: number
  }
}

declare module '../../src/lib/errors.ts' {
  interface ModuleErrors {
    TOO_MANY_NOTES: true
  }
}
