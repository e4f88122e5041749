import { sql } from 'kysely'
import type { TextByLanguage } from '../../../db/rows/roles.ts'
import type { Db } from '../../../db/tables.ts'

interface DeclaredScope {
  key: string
  title: TextByLanguage
  description: TextByLanguage
}

/** Those of the scopes that applications have declared. */
export async function findDeclaredScopes(db: Db, scopes: readonly string[]): Promise<DeclaredScope[]> {
  const { rows } = await sql<DeclaredScope>`SELECT key, title, description FROM permissions
    WHERE key = ANY(${[...scopes]}::text[]) AND retired_at IS NULL`.execute(db)
  return rows
}
