import { sql } from 'kysely'
import type { Db } from './tables.ts'

interface Rights {
  role: string
  schema: string
  database: string
  mayCreateTables: boolean
  mayCreateSchema: boolean
  hasJobs: boolean
}

/** Checks this before the first statement, because the statements before the refused one would remain committed. */
export async function assertMayCreate(db: Db): Promise<void> {
  const rights = await findRights(db)
  if (!rights) return
  const { role, schema, database, mayCreateTables, mayCreateSchema, hasJobs } = rights
  const missing = [
    ...(mayCreateTables ? [] : [`GRANT USAGE, CREATE ON SCHEMA ${schema} TO ${role};`]),
    ...(hasJobs || mayCreateSchema ? [] : [`GRANT CREATE ON DATABASE ${database} TO ${role};`]),
  ]
  if (missing.length === 0) return
  throw new Error(
    `The database role ${role} may not create the tables of the service. As the owner of the database, run\n` +
      `${missing.map((grant) => `  ${grant}\n`).join('')}` +
      'or set DATABASE_URL to the address of the owner. Nothing was changed.',
  )
}

/** Returns undefined if the database has no schema for the tables. */
async function findRights(db: Db): Promise<Rights | undefined> {
  const { rows } = await sql<Rights>`SELECT
      quote_ident(current_user) AS role, quote_ident(nspname) AS schema, quote_ident(current_database()) AS database,
      has_schema_privilege(oid, 'USAGE') AND has_schema_privilege(oid, 'CREATE') AS "mayCreateTables",
      has_database_privilege(current_database(), 'CREATE') AS "mayCreateSchema",
      EXISTS (SELECT FROM pg_tables WHERE schemaname = 'jobs' AND tablename = 'version') AS "hasJobs"
    FROM pg_namespace WHERE nspname = coalesce(current_schema()::text, 'public')`.execute(db)
  return rows[0]
}
