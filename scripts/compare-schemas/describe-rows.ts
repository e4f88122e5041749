import type { Database } from '../../src/db/connect.ts'

export type Query = Database['query']

/** These tables record when and how the installation was made. */
const ofInstallation = ['schema_migrations', 'module_hub_registry', 'module_hub_events', 'module_hub_locks']

/** The installation of a module also adds rows to these tables. Audit events are sealed some time later. */
const ofEvents = ['audit_events', 'audit_seals', 'events', 'event_positions', 'webhook_cursor']

/** Columns whose first value is different in every installation. */
const volatileColumns: Record<string, string[]> = { installation_facts: ['value'], post_types: ['version'] }

/** The rows that the schema inserts, without times. */
export async function describeRows(query: Query, after: 'core' | 'modules'): Promise<[string, string][]> {
  const tables = await query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
    [],
  )
  const omitted = after === 'core' ? ofInstallation : [...ofInstallation, ...ofEvents]
  const found: [string, string][] = []
  for (const { name } of tables.filter((table) => !omitted.includes(table.name)))
    found.push([`rows of ${name} after ${after}`, await rowsOf(query, name)])
  return found
}

async function rowsOf(query: Query, table: string): Promise<string> {
  const times = await query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND atttypid = 'timestamptz'::regtype`,
    [table],
  )
  const omitted = [...times.map(({ name }) => name), ...(volatileColumns[table] ?? [])]
  const rows = await query<{ text: string }>(
    `SELECT (to_jsonb(t) - $1::text[])::text AS text FROM ${table} t ORDER BY 1`,
    [omitted],
  )
  return rows.map(({ text }) => text).join('\n')
}
