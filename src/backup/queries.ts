import { sql } from 'kysely'
import type { Db } from '../db/tables.ts'
import { findHubTables } from '../hub/queries.ts'
import type { AppliedMigration, InstalledComponent } from './format.ts'

export async function findAppliedMigrations(db: Db): Promise<AppliedMigration[]> {
  const rows = await db
    .selectFrom('schema_migrations')
    .select(['version', 'name', 'checksum', 'applied_at'])
    .where('scope', '=', 'core')
    .orderBy('version')
    .execute()
  return rows.map((row) => ({ ...row, applied_at: row.applied_at.toISOString() }))
}

/** Finds components in all runtime scopes because all scopes share the tables. */
export async function findRegisteredComponents(db: Db): Promise<InstalledComponent[]> {
  const [registry] = await findHubTables(db)
  if (!registry?.exists) return []
  return db
    .selectFrom('module_hub_registry')
    .select(['module_id', 'component_id', 'version'])
    .distinct()
    .orderBy('module_id')
    .orderBy('component_id')
    .execute()
}

export async function serverVersion(db: Db): Promise<string> {
  const { rows } = await sql<{ version: string }>`SELECT current_setting('server_version') AS version`.execute(db)
  return rows[0]?.version ?? ''
}

export async function findExisting(db: Db, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM unnest(${[...names]}::text[]) AS name WHERE to_regclass(quote_ident(name)) IS NOT NULL`.execute(db)
  return rows.map(({ name }) => name)
}

/** `limit` is in milliseconds and applies to the rest of the transaction. Does not take the transaction's snapshot. */
export const limitLockWait = (tx: Db, limit: number) => sql`SET LOCAL lock_timeout = ${sql.lit(limit)}`.execute(tx)
/**
 * Whether the text is the name of an existing type. PostgreSQL versions before 16 raise an error if the text is not a
 * valid name.
 */
export async function isTypeHere(db: Db, text: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`SELECT to_regtype(${text}) IS NOT NULL AS found`.execute(db)
  return rows[0]?.found === true
}

/** The type must have passed `isTypeHere`. */
export const addColumn = (tx: Db, { table, column, type }: { table: string; column: string; type: string }) =>
  sql`ALTER TABLE ${sql.table(table)} ADD COLUMN ${sql.id(column)} ${sql.raw(type)}`.execute(tx)

/** Uses the same lock mode as `pg_dump` so that the table structure cannot change during the backup. */
export const lockStructure = (tx: Db, names: readonly string[]) =>
  sql`LOCK TABLE ${sql.join(names.map((name) => sql.table(name)))} IN ACCESS SHARE MODE`.execute(tx)

export async function hasJobs(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`SELECT to_regclass('jobs.job') IS NOT NULL AS found`.execute(db)
  return rows[0]?.found === true
}

/** Pictures whose files may be deleted at any time. */
export async function findUnusedPictures(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('pictures')
    .select('name')
    .where((build) => build.or([build('unused_since', 'is not', null), build('user_id', 'is', null)]))
    .execute()
  return rows.map(({ name }) => name)
}

export const runSqlText = (tx: Db, text: string) => sql.raw(text).execute(tx)

/** Expires all undelivered messages, including failed messages that administrators could retry. */
export const expireMessages = (tx: Db, now: Date, reason = restored) => expiring(tx, now, reason).execute()

export const expireOldMails = (tx: Db, now: Date, createdBefore: Date) =>
  expiring(tx, now, restored).where('channel', '<>', 'task').where('created_at', '<', createdBefore).execute()

const restored = 'restored from a backup'

const expiring = (tx: Db, now: Date, reason: string) =>
  tx
    .updateTable('outbox')
    .set({ status: 'expired', payload: null, done_at: now, last_error: reason })
    .where('payload', 'is not', null)

/** The queue is not copied, so its messages must be queued again in the new database. */
export const requeueMessages = (tx: Db) =>
  tx.updateTable('outbox').set({ status: 'pending' }).where('status', '=', 'queued').execute()

export const endProviderVisits = (tx: Db) => tx.deleteFrom('social_flows').execute()

/**
 * Raises every epoch above any cached value because caches may contain later epochs than the backup. An epoch rises by
 * less than one per second on average, so the current time in seconds exceeds any epoch.
 */
export async function raiseAllEpochs(tx: Db): Promise<void> {
  const later = (column: string) => sql`greatest(${sql.ref(column)} + 1, floor(extract(epoch FROM now()))::bigint)`
  await sql`UPDATE users SET session_epoch = ${later('session_epoch')}`.execute(tx)
  // A backup of an earlier release lacks these tables.
  const existing = await findExisting(tx, ['application_version', 'role_version'])
  if (!existing.includes('application_version')) return
  await sql`UPDATE applications SET epoch = ${later('epoch')}`.execute(tx)
  await sql`UPDATE application_version SET version = ${later('version')}`.execute(tx)
  if (existing.includes('role_version')) {
    await sql`UPDATE roles SET epoch = ${later('epoch')} WHERE kind = 'application'`.execute(tx)
    await sql`UPDATE role_version SET version = ${later('version')}`.execute(tx)
  }
  for (const name of await findTablesWithEpoch(tx))
    await sql`UPDATE ${sql.table(name)} SET epoch = ${later('epoch')}`.execute(tx)
}

/** The other tables of owners, among them those of modules. */
async function findTablesWithEpoch(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`SELECT c.table_name::text AS name FROM information_schema.columns c
    JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = current_schema() AND c.column_name = 'epoch' AND t.table_type = 'BASE TABLE'
      AND c.table_name NOT IN ('session_revocations', 'applications', 'roles') ORDER BY 1`.execute(db)
  return rows.map(({ name }) => name)
}

/** Fails if another transaction is writing, but waits long enough for the server to cancel an autovacuum. */
export async function lockAgainstWrites(tx: Db, names: readonly string[]): Promise<void> {
  await limitLockWait(tx, 3_000)
  const tables = sql.join(names.map((name) => sql.table(name)))
  await sql`LOCK TABLE ${tables} IN SHARE ROW EXCLUSIVE MODE`.execute(tx)
}

/** The job queue has its own schema and uses partitions. */
export async function findJobTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`SELECT 'jobs.' || relname AS name FROM pg_class
    WHERE relnamespace = to_regnamespace('jobs') AND relkind IN ('r', 'p') ORDER BY relname`.execute(db)
  return rows.map(({ name }) => name)
}

/** Counts other processes' connections for notifications. The result is 0 only if no node is running. */
export async function countNodeConnections(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'wardenry-listen' AND pid <> pg_backend_pid()`.execute(db)
  return rows[0]?.count ?? 0
}
