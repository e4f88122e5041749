import { type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { Db, Tables } from '../../db/tables.ts'
import type { ReadableKeys } from '../blog/post-type-provider.ts'

export type DefinitionRow = Omit<
  Selectable<Tables['post_types']>,
  'version' | 'allowed_create_types' | 'allowed_read_types'
>
export type DefinitionChanges = Updateable<Tables['post_types']>

export interface PostTypeDefinitions {
  version: number
  rows: readonly DefinitionRow[]
}

const columns = [
  'id',
  'type_key',
  'type_name',
  'description',
  'slug_prefix',
  'field_schema',
  'behaviors',
  'icon',
  'color',
  'is_active',
  'is_built_in',
  'sort_order',
  'created_at',
  'updated_at',
] as const

/** Uses one statement so that the version matches the rows. */
export async function findDefinitions(db: Db): Promise<PostTypeDefinitions> {
  const found = await db
    .selectFrom('post_types')
    .select(columns)
    .select('version')
    .orderBy('sort_order')
    .orderBy(sql`type_key COLLATE "C"`)
    .execute()
  return {
    version: Math.max(0, ...found.map((row) => row.version)),
    rows: found.map(({ version: _of, ...row }) => row),
  }
}

export async function findVersion(db: Db): Promise<number> {
  const row = await db.selectFrom('post_types').select('version').where('type_key', '=', 'post').executeTakeFirst()
  return row?.version ?? 0
}

/** Must be the first statement of every change. The row lock serializes changes until the transaction ends. */
export async function raiseVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`UPDATE post_types
    SET version = greatest(version + 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
    WHERE type_key = 'post' RETURNING version`.execute(db)
  return rows[0]!.version
}

/** The lock prevents other transactions from assigning this type to a post. */
export const lockDefinition = (db: Db, key: string): Promise<DefinitionRow | undefined> =>
  db.selectFrom('post_types').select(columns).where('type_key', '=', key).forUpdate().executeTakeFirst()

export async function nextSortOrder(db: Db): Promise<number> {
  const row = await db
    .selectFrom('post_types')
    .select((build) => build.fn.max('sort_order').as('last'))
    .executeTakeFirst()
  return Math.min((row?.last ?? -1) + 1, 10_000)
}

export const insertDefinition = (db: Db, row: Record<string, unknown>): Promise<DefinitionRow> =>
  db
    .insertInto('post_types')
    .values(row as never)
    .returning(columns)
    .executeTakeFirstOrThrow()

export const updateDefinition = (db: Db, key: string, changes: DefinitionChanges): Promise<DefinitionRow> =>
  db.updateTable('post_types').set(changes).where('type_key', '=', key).returning(columns).executeTakeFirstOrThrow()

export const removeDefinition = (db: Db, key: string) =>
  db.deleteFrom('post_types').where('type_key', '=', key).execute()

/** The count includes posts in the trash. */
export async function countPosts(db: Db, key: string): Promise<number> {
  const row = await db
    .selectFrom('posts')
    .select((build) => build.fn.countAll<string>().as('count'))
    .where('post_type', '=', key)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export const reassignPosts = (db: Db, key: string, to: string) =>
  db.updateTable('posts').set({ post_type: to }).where('post_type', '=', key).execute()

export function postsOfTypes(
  alias: string,
  { open, own }: ReadableKeys,
  reader: string | undefined,
): RawBuilder<boolean> {
  const type = sql.ref(`${alias}.post_type`)
  const isOpen = sql<boolean>`${type} = ANY(${open}::text[])`
  if (reader === undefined || own.length === 0) return isOpen
  return sql<boolean>`(${isOpen} OR (${sql.ref(`${alias}.user_id`)} = ${reader} AND ${type} = ANY(${own}::text[])))`
}

export const indexedPosts = (alias: string): RawBuilder<boolean> => sql<boolean>`NOT ${sql.ref(`${alias}.noindex`)}`
