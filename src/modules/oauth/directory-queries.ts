import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../../db/tables.ts'

export type SigningKeyRow = Selectable<Tables['oauth_keys']>

export interface ResourceRow extends Selectable<Tables['oauth_resources']> {
  application_key: string
  application_epoch: number
  /** Whether the resource and its application are enabled. */
  is_live: boolean
}

/** The version is read first, so that what is read after it is at least as late. */
export async function readDirectory(db: Db) {
  const version = await findDirectoryVersion(db)
  const resources = await findResources(db)
  const keys = await db
    .selectFrom('oauth_keys')
    .selectAll()
    .where('status', '<>', 'removed')
    .orderBy('created_at')
    .execute()
  return { version, resources, keys, origins: await findOrigins(db) }
}

interface OriginRow {
  origin: string
  /** The keys of the applications whose clients have the origin. */
  applications: string[]
}

async function findOrigins(db: Db): Promise<OriginRow[]> {
  const { rows } = await sql<OriginRow>`SELECT origin, array_agg(DISTINCT a.key) AS applications
    FROM oauth_clients c JOIN applications a ON a.id = c.application_id, unnest(c.allowed_origins) AS origin
    WHERE c.type = 'spa' AND c.is_enabled AND c.deleted_at IS NULL GROUP BY origin`.execute(db)
  return rows
}

export async function findDirectoryVersion(db: Db): Promise<number> {
  const { version } = await db.selectFrom('oauth_version').select('version').executeTakeFirstOrThrow()
  return Number(version)
}

export async function findResources(db: Db): Promise<ResourceRow[]> {
  const { rows } = await sql<ResourceRow>`SELECT r.*, a.key AS application_key, a.epoch AS application_epoch,
      (r.is_enabled AND a.is_enabled AND a.deleted_at IS NULL) AS is_live
    FROM oauth_resources r JOIN applications a ON a.id = r.application_id ORDER BY r.identifier`.execute(db)
  return rows.map((row) => ({
    ...row,
    epoch: Number(row.epoch),
    application_epoch: Number(row.application_epoch),
    tokens_from_epoch: Number(row.tokens_from_epoch),
  }))
}
