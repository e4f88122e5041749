import type { Db } from '../../../db/tables.ts'

/** Those of the scopes that applications have declared. */
export const findDeclaredScopes = (db: Db, scopes: readonly string[]) =>
  db
    .selectFrom('permissions')
    .select(['key', 'title', 'description'])
    .where('key', 'in', [...scopes])
    .where('retired_at', 'is', null)
    .execute()
