import { sql } from 'kysely'
import type { Db } from '../../db/tables.ts'
import type { Known, KnownPermission, KnownRole } from './plan.ts'
import type { DeclaredPermission } from './read-declaration.ts'

/** Until the end of the transaction, the application can be neither deleted nor erased. */
export const holdApplication = (db: Db, key: string) =>
  db
    .selectFrom('applications')
    .select(['id', 'key'])
    .where('key', '=', key)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()

export const findApplicationByKey = (db: Db, key: string) =>
  db
    .selectFrom('applications')
    .select(['id', 'key'])
    .where('key', '=', key)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/** The keys that belong to other applications. */
export const findTakenPermissions = async (db: Db, keys: readonly string[], ownId: string): Promise<string[]> => {
  if (keys.length === 0) return []
  const query = db.selectFrom('permissions').select('key').where('key', 'in', keys)
  return (await query.where('application_id', '<>', ownId).orderBy('key').execute()).map(({ key }) => key)
}

export async function findKnownRoles(db: Db, applicationId: string): Promise<Known> {
  const permissions: KnownPermission[] = await db
    .selectFrom('permissions')
    .select(['key', 'title', 'description', 'sensitive', 'retired_at'])
    .where('application_id', '=', applicationId)
    .orderBy('key')
    .execute()
  const roles: KnownRole[] = await db
    .selectFrom('roles')
    .select(['id', 'key', 'name', 'description', 'is_default', 'permissions'])
    .select(sql<number>`(SELECT count(*)::int FROM user_roles WHERE role_id = roles.id)`.as('users'))
    .where('application_id', '=', applicationId)
    .orderBy('key')
    .execute()
  return { permissions, roles }
}

/** Also declares retired permissions again. */
export async function declarePermissions(
  db: Db,
  applicationId: string,
  permissions: readonly DeclaredPermission[],
): Promise<void> {
  if (permissions.length === 0) return
  const rows = permissions.map(({ key, title, description, sensitive }) => ({
    ...{ key, sensitive, application_id: applicationId, retired_at: null },
    title: JSON.stringify(title),
    description: JSON.stringify(description),
  }))
  await db
    .insertInto('permissions')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet(({ ref }) => ({
          title: ref('excluded.title'),
          description: ref('excluded.description'),
          sensitive: ref('excluded.sensitive'),
          retired_at: null,
        }))
        .whereRef('permissions.application_id', '=', 'excluded.application_id'),
    )
    .execute()
}

export const retirePermissions = (db: Db, keys: readonly string[], now: Date) =>
  db.updateTable('permissions').set({ retired_at: now }).where('key', 'in', keys).execute()

export interface PermissionFilter {
  /** The key of an application. */
  application?: string
  permission?: string
}

/** Also those that are retired, and those of deleted applications. */
export async function findPermissions(db: Db, { application, permission }: PermissionFilter) {
  let query = db
    .selectFrom('permissions')
    .innerJoin('applications', 'applications.id', 'permissions.application_id')
    .select(['permissions.key', 'permissions.title', 'permissions.description', 'sensitive', 'retired_at'])
    .select(['application_id', 'applications.key as application_key'])
  if (application !== undefined) query = query.where('applications.key', '=', application)
  if (permission !== undefined) query = query.where('permissions.key', '=', permission)
  return query.orderBy('permissions.key').execute()
}

export const findOwnerOfPermission = (db: Db, key: string) =>
  db
    .selectFrom('permissions')
    .innerJoin('applications', 'applications.id', 'permissions.application_id')
    .select(['applications.id', 'applications.key'])
    .where('permissions.key', '=', key)
    .executeTakeFirst()

export const movePermissionTo = (db: Db, key: string, application_id: string) =>
  db.updateTable('permissions').set({ application_id }).where('key', '=', key).execute()

export const removePermissions = (db: Db, keys: readonly string[]) =>
  db.deleteFrom('permissions').where('key', 'in', keys).execute()
