import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../db/tables.ts'
import { newId } from '../lib/ids.ts'
import type { PageRequest } from '../lib/paging.ts'

export interface WantedColumn {
  table: string
  column: string
  type: string
}

export interface FoundColumn extends WantedColumn {
  exists: boolean
  fits: boolean
}

export async function findColumns(db: Db, wanted: readonly WantedColumn[]): Promise<FoundColumn[]> {
  const [tables, columns, types] = [
    wanted.map(({ table }) => table),
    wanted.map(({ column }) => column),
    wanted.map(({ type }) => type),
  ]
  const { rows } = await sql<FoundColumn>`
    SELECT w."table", w."column", w.type, a.attname IS NOT NULL AS "exists",
      coalesce(a.atttypid = to_regtype(w.type), false) AS fits
    FROM unnest(${tables}::text[], ${columns}::text[], ${types}::text[])
      WITH ORDINALITY AS w("table", "column", type, position)
    LEFT JOIN pg_class c ON c.oid = to_regclass(quote_ident(w."table")) AND c.relkind IN ('r', 'p')
    LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = w."column" AND a.attnum > 0 AND NOT a.attisdropped
    ORDER BY w.position`.execute(db)
  return rows
}

export const hubTables = ['module_hub_registry', 'module_hub_events', 'module_hub_locks'] as const

export async function findHubTables(db: Db): Promise<{ name: string; exists: boolean }[]> {
  const { rows } = await sql<{ name: string; exists: boolean }>`
    SELECT name, to_regclass(name) IS NOT NULL AS "exists" FROM unnest(${[...hubTables]}::text[]) AS name`.execute(db)
  return rows
}

export const isHubComplete = async (db: Db): Promise<boolean> => (await findHubTables(db)).every(({ exists }) => exists)

export type RegistryRow = Selectable<Tables['module_hub_registry']>

export async function findRegistered(db: Db, runtimeScope: string): Promise<RegistryRow[]> {
  const hub = await findHubTables(db)
  if (!hub[0]?.exists) return []
  return db
    .selectFrom('module_hub_registry')
    .select(registryColumns)
    .where('runtime_scope', '=', runtimeScope)
    .orderBy('installed_at')
    .orderBy('component_id')
    .execute()
}

/** Finds modules in all runtime scopes because all scopes share the tables. */
export async function findModulesOnceInstalled(db: Db): Promise<Set<string>> {
  const hub = await findHubTables(db)
  if (!hub[0]?.exists) return new Set()
  const rows = await db
    .selectFrom('module_hub_registry')
    .select('module_id')
    .distinct()
    .where('component_id', '=', 'core')
    .execute()
  return new Set(rows.map(({ module_id }) => module_id))
}

const registryColumns = [
  'id',
  'module_id',
  'component_id',
  'component_type',
  'runtime_scope',
  'version',
  'checksum',
  'status',
  'run_id',
  'installed_by',
  'installed_at',
  'updated_at',
] as const

export async function countRegistered(db: Db, moduleId: string, runtimeScope: string): Promise<number> {
  const row = await ofModule(db, moduleId, runtimeScope)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirst()
  return Number(row?.count)
}

export const findRegisteredOf = (
  db: Db,
  moduleId: string,
  runtimeScope: string,
  { limit, offset }: PageRequest,
): Promise<RegistryRow[]> =>
  ofModule(db, moduleId, runtimeScope)
    .select(registryColumns)
    .orderBy('installed_at')
    .orderBy('component_id')
    .limit(limit)
    .offset(offset)
    .execute()

const ofModule = (db: Db, moduleId: string, runtimeScope: string) =>
  db.selectFrom('module_hub_registry').where('module_id', '=', moduleId).where('runtime_scope', '=', runtimeScope)

export const registerComponents = (db: Db, row: Omit<RegistryRow, 'id' | 'updated_at'>) =>
  db
    .insertInto('module_hub_registry')
    .values({ ...row, id: newId(), updated_at: row.installed_at })
    .onConflict((conflict) =>
      conflict.columns(['module_id', 'component_id', 'runtime_scope']).doUpdateSet({
        version: row.version,
        checksum: row.checksum,
        status: row.status,
        run_id: row.run_id,
        updated_at: row.installed_at,
      }),
    )
    .execute()

export interface HubEvent {
  run_id: string
  module_id: string
  component_id: string | null
  runtime_scope: string
  event_type: string
  actor_user_id: string | null
  detail: Record<string, unknown>
}

/** Event times are a millisecond apart to preserve the order of the events. */
export const insertHubEvents = (db: Db, events: HubEvent[], now: Date) =>
  db
    .insertInto('module_hub_events')
    .values(events.map((event, index) => ({ ...event, id: newId(), created_at: new Date(now.getTime() + index) })))
    .execute()

/** Only for SQL files shipped with the service. */
export const runShippedSql = (db: Db, text: string) => sql.raw(text).execute(db)

/** The timeout is short because a waiting transaction blocks all later requests for the table. */
export const lockBriefly = (db: Db) => sql`SET LOCAL lock_timeout = '300ms'`.execute(db)

export interface HubLock {
  run_id: string
  holder: string
  acquired_at: Date
  expires_at: Date
}

const lockKey = 'module-hub'

/** The caller holds the advisory lock, so any existing row was left by a finished run. */
export const writeLock = (db: Db, lock: HubLock) =>
  db
    .insertInto('module_hub_locks')
    .values({ lock_key: lockKey, ...lock })
    .onConflict((conflict) => conflict.column('lock_key').doUpdateSet(lock))
    .execute()

export const findLock = (db: Db) =>
  db
    .selectFrom('module_hub_locks')
    .select(['run_id', 'holder', 'acquired_at', 'expires_at'])
    .where('lock_key', '=', lockKey)
    .executeTakeFirst()

export const releaseLock = (db: Db, runId: string) =>
  db.deleteFrom('module_hub_locks').where('lock_key', '=', lockKey).where('run_id', '=', runId).execute()
