import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { AddressKind } from '../db/rows/applications.ts'
import type { Db, Tables } from '../db/tables.ts'
import type { PageRequest } from '../lib/paging.ts'
import type { StoredApplication } from './application-set.ts'

export type ApplicationRow = Selectable<Tables['applications']> & { addresses: Address[] }

export interface Address {
  kind: AddressKind
  address: string
}

const withAddresses = (db: Db) =>
  db.selectFrom('applications').selectAll('applications').select(addressesOf.as('addresses'))

const addressesOf = sql<Address[]>`(SELECT coalesce(json_agg(json_build_object('kind', kind, 'address', address)
  ORDER BY kind, position), '[]') FROM application_addresses WHERE application_id = applications.id)`

const secretsOf = sql`(SELECT coalesce(json_agg(json_build_object('id', id, 'hash', encode(secret_hash, 'hex'),
  'rights', rights, 'ranges', ip_ranges, 'endsAt', floor(extract(epoch FROM ends_at) * 1000))), '[]')
  FROM application_secrets WHERE application_id = applications.id)`

const appearanceOf = sql`CASE WHEN num_nonnulls(accent, logo::text, terms_url, privacy_url) > 0
  THEN json_build_object('name', name, 'accent', accent, 'logo', logo, 'termsUrl', terms_url,
    'privacyUrl', privacy_url) END`

const gatewayOf = sql`CASE WHEN gateway_accept <> '{}' OR gateway_scope <> '{}' OR gateway_permission IS NOT NULL
  THEN json_build_object('accept', gateway_accept, 'scope', gateway_scope, 'permission', gateway_permission,
    'resource', gateway_resource) END`

/** One statement, so that the version and the applications belong together. */
export async function findStoredApplications(
  db: Db,
): Promise<{ version: number; applications: readonly StoredApplication[] }> {
  const { rows } = await sql<{ version: string; applications: StoredApplication[] }>`SELECT version,
      (SELECT coalesce(json_agg(json_build_object('id', id, 'key', key,
        'isEnabled', is_enabled AND deleted_at IS NULL, 'isDevelopment', is_development, 'addresses', ${addressesOf},
        'accepts', ARRAY(SELECT other.id FROM applications other WHERE other.key = ANY (applications.accepts)),
        'signInMethods', sign_in_methods, 'registration', registration,
        'secrets', ${secretsOf}, 'appearance', ${appearanceOf}, 'signOutUrl', sign_out_url,
        'gateway', ${gatewayOf})
        ORDER BY key), '[]') FROM applications) AS applications
    FROM application_version`.execute(db)
  const [row] = rows
  return { version: Number(row?.version ?? 0), applications: row?.applications ?? [] }
}

/** Deleted applications come last. */
export const findApplications = (db: Db): Promise<ApplicationRow[]> =>
  withAddresses(db).orderBy(sql`deleted_at IS NOT NULL`).orderBy('key').execute()

export type ApplicationState = 'enabled' | 'disabled' | 'deleted'

export interface ApplicationFilter {
  /** Part of a key, a name or an address. */
  q: string | undefined
  state: ApplicationState | undefined
}

/** Like `findApplications`, but only one page of those that match. */
export const findMatching = (db: Db, filter: ApplicationFilter, { limit, offset }: PageRequest) =>
  withAddresses(db)
    .where(matches(filter))
    .orderBy(sql`deleted_at IS NOT NULL`)
    .orderBy('key')
    .limit(limit)
    .offset(offset)
    .execute()

export async function countMatching(db: Db, filter: ApplicationFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM applications
    WHERE ${matches(filter)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** There are few applications, so the words need no index. */
function matches({ q, state }: ApplicationFilter) {
  const contains = (text: RawBuilder<unknown>) => sql<boolean>`position(lower(${q}) IN lower(${text})) > 0`
  const word =
    q === undefined
      ? sql<boolean>`true`
      : sql<boolean>`(${contains(sql`key`)} OR ${contains(sql`name`)} OR EXISTS (SELECT FROM application_addresses
          WHERE application_id = applications.id AND ${contains(sql`address`)}))`
  return state ? sql<boolean>`${word} AND ${inState[state]}` : word
}

const inState: Record<ApplicationState, RawBuilder<boolean>> = {
  enabled: sql<boolean>`is_enabled AND deleted_at IS NULL`,
  disabled: sql<boolean>`NOT is_enabled AND deleted_at IS NULL`,
  deleted: sql<boolean>`deleted_at IS NOT NULL`,
}

export const findApplication = (db: Db, id: string): Promise<ApplicationRow | undefined> =>
  withAddresses(db).where('id', '=', id).executeTakeFirst()

export const lockApplication = async (db: Db, id: string): Promise<ApplicationRow | undefined> => {
  const found = await db.selectFrom('applications').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  return found && findApplication(db, id)
}

export async function countApplications(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM applications`.execute(db)
  return rows[0]?.count ?? 0
}

export const findByKey = (db: Db, key: string) =>
  db.selectFrom('applications').select(['id', 'key', 'deleted_at']).where('key', '=', key).executeTakeFirst()

export const findKeys = async (db: Db, keys: readonly string[]): Promise<string[]> =>
  (
    await db.selectFrom('applications').select('key').where('key', 'in', keys).where('deleted_at', 'is', null).execute()
  ).map(({ key }) => key)

/** The other applications that have one of these addresses. */
export const findTaken = (db: Db, addresses: readonly Address[], ownId: string) =>
  db
    .selectFrom('application_addresses as taken')
    .innerJoin('applications', 'applications.id', 'taken.application_id')
    .select(['taken.kind', 'taken.address', 'applications.key', 'applications.deleted_at'])
    .where('applications.id', '<>', ownId)
    .where(({ eb, or }) =>
      or(addresses.map(({ kind, address }) => eb.and({ 'taken.kind': kind, 'taken.address': address }))),
    )
    .execute()

export const insertApplication = (db: Db, row: Insertable<Tables['applications']>) =>
  db.insertInto('applications').values(row).execute()

export const updateApplication = (db: Db, id: string, changes: Updateable<Tables['applications']>) =>
  db.updateTable('applications').set(changes).where('id', '=', id).returning('epoch').executeTakeFirstOrThrow()

export async function replaceAddresses(db: Db, id: string, addresses: readonly Address[]): Promise<void> {
  await db.deleteFrom('application_addresses').where('application_id', '=', id).execute()
  if (addresses.length === 0) return
  const rows = addresses.map(({ kind, address }, position) => ({ application_id: id, kind, address, position }))
  await db.insertInto('application_addresses').values(rows).execute()
}

/** Without bytes, removes the picture. */
export async function replaceLogo(db: Db, id: string, bytes: Buffer | undefined): Promise<void> {
  await db.deleteFrom('application_logos').where('application_id', '=', id).execute()
  if (bytes) await db.insertInto('application_logos').values({ application_id: id, bytes }).execute()
}

export const findLogos = (db: Db) => db.selectFrom('application_logos').selectAll().execute()

/** Not of a deleted application. The console also shows the logo of a disabled one. */
export const findServedLogo = (db: Db, id: string) =>
  db
    .selectFrom('application_logos')
    .innerJoin('applications', 'applications.id', 'application_logos.application_id')
    .select(['applications.logo', 'application_logos.bytes'])
    .where('applications.id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

export async function findApplicationVersion(db: Db): Promise<number> {
  const { version } = await db.selectFrom('application_version').select('version').executeTakeFirstOrThrow()
  return Number(version)
}

/** Reads first, because even a DELETE without rows would make all nodes read the applications again. */
export async function eraseApplications(db: Db, deletedBefore: Date, limit: number): Promise<number> {
  const due = await db
    .selectFrom('applications')
    .select('id')
    .where('deleted_at', '<', deletedBefore)
    .limit(limit)
    .execute()
  const ids = due.map(({ id }) => id)
  if (ids.length === 0) return 0
  const erased = db.deleteFrom('applications').where('id', 'in', ids).where('deleted_at', '<', deletedBefore)
  return Number((await erased.executeTakeFirst()).numDeletedRows)
}
