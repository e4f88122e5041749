import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db, Tables } from '../../db/tables.ts'
import type { TypedPost } from './post-type-provider.ts'
import type { PostTypeColumns } from './rows.ts'

/** A post without `search` and `live_from`, which only SQL queries use. */
export type PostRow = Omit<Selectable<Tables['posts']>, 'search' | 'live_from' | keyof PostTypeColumns> & TypedPost
export type PostChanges = Updateable<Tables['posts']>

interface Named {
  id: string
  name: string
  slug: string
}

export interface FullPost extends PostRow {
  author: { id: string; name: string; last_name: string; display_name: string | null; picture: string } | null
  categories: Named[]
  tags: Named[]
}

export const columns = [
  'id',
  'user_id',
  'lang',
  'title',
  'slug',
  'body',
  'body_format',
  'body_html',
  'body_start',
  'excerpt',
  'featured_image',
  'featured_image_key',
  'status',
  'visibility',
  'password_hash',
  'comments_enabled',
  'reactions_enabled',
  'scheduled_at',
  'published_at',
  'metadata',
  'deleted_at',
  'deleted_by',
  'created_at',
  'updated_at',
] as const

const author = sql<FullPost['author']>`(SELECT json_build_object('id', u.id, 'name', u.name, 'last_name', u.last_name,
  'display_name', u.display_name, 'picture', u.picture) FROM users u WHERE u.id = p.user_id AND u.deleted_at IS NULL)`
const named = sql`json_build_object('id', t.id, 'name', t.name, 'slug', t.slug)`
const categories = sql<Named[]>`(SELECT coalesce(json_agg(${named} ORDER BY t.sort_order, t.name), '[]')
  FROM post_category_links l JOIN post_categories t ON t.id = l.category_id WHERE l.post_id = p.id)`
const tags = sql<Named[]>`(SELECT coalesce(json_agg(${named} ORDER BY t.name), '[]')
  FROM post_tag_links l JOIN post_tags t ON t.id = l.tag_id WHERE l.post_id = p.id)`

export const relatedColumns = sql`${author} AS author, ${categories} AS categories, ${tags} AS tags`

export type MoreColumns = readonly (keyof PostTypeColumns)[]

export const findFullPost = (db: Db, more: MoreColumns, id: string): Promise<FullPost | undefined> =>
  db
    .selectFrom('posts as p')
    .select([...columns, ...more].map((column) => `p.${column}` as const))
    .select([author.as('author'), categories.as('categories'), tags.as('tags')])
    .where('p.id', '=', id)
    .executeTakeFirst() as Promise<FullPost | undefined>

/** Null if the excerpt is derived from the body. */
export async function findOwnExcerpt(db: Db, id: string): Promise<string | null> {
  const row = await db.selectFrom('posts').select('excerpt').where('id', '=', id).executeTakeFirst()
  return row?.excerpt ?? null
}

export const headColumns = [
  'id',
  'user_id',
  'lang',
  'status',
  'visibility',
  'scheduled_at',
  'published_at',
  'deleted_at',
] as const
export type PostHead = Pick<PostRow, (typeof headColumns)[number] | 'post_type'>

const standing = [
  ...headColumns,
  'slug',
  'body_format',
  'password_hash',
  'comments_enabled',
  'reactions_enabled',
] as const
/** The columns that determine who may read and change the post, without its content. */
export type PostStanding = Pick<PostRow, (typeof standing)[number] | 'post_type'>

export const findPostStanding = (db: Db, more: MoreColumns, id: string): Promise<PostStanding | undefined> =>
  db
    .selectFrom('posts')
    .select([...standing, ...typeOf(more)])
    .where('id', '=', id)
    .executeTakeFirst()

/** Returns the type column, which also determines access, or an empty list if no module adds this column. */
export const typeOf = (more: MoreColumns) => more.filter((column) => column === 'post_type')

/** Returns the posts with this slug, at most one per language, preferred languages first. */
export const findHeadsBySlug = (
  db: Db,
  more: MoreColumns,
  slug: string,
  [wanted, fallback]: [string, string],
): Promise<PostHead[]> =>
  db
    .selectFrom('posts')
    .select([...headColumns, ...typeOf(more)])
    .where('slug', '=', slug)
    .where('deleted_at', 'is', null)
    .orderBy(sql`lang = ${wanted}`, 'desc')
    .orderBy(sql`lang = ${fallback}`, 'desc')
    .orderBy('created_at')
    .limit(100)
    .execute()

/** Locks the row until the transaction ends, even if the post is in the trash. */
export const lockPost = (db: Db, more: MoreColumns, id: string): Promise<PostRow | undefined> =>
  db
    .selectFrom('posts')
    .select([...columns, ...more])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export async function insertPost(db: Db, post: Insertable<Tables['posts']>): Promise<boolean> {
  const row = await db
    .insertInto('posts')
    .values(post)
    .onConflict((conflict) => conflict.columns(['lang', 'slug']).where('deleted_at', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const updatePost = (db: Db, id: string, changes: PostChanges) =>
  db.updateTable('posts').set(changes).where('id', '=', id).execute()

export const trashUnpublishedOf = (db: Db, more: MoreColumns, userId: string, now: Date): Promise<PostRow[]> =>
  db
    .updateTable('posts')
    .set({ deleted_at: now, deleted_by: userId, updated_at: now })
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .where((build) => build.or([build('status', 'in', ['draft', 'pending']), build('scheduled_at', '>', now)]))
    .returning([...columns, ...more])
    .execute()

export const removePost = (db: Db, id: string) => db.deleteFrom('posts').where('id', '=', id).execute()

/** Slugs are unique per language, across posts and translations. Pass `translations` only if their table exists. */
export async function findTakenSlugs(
  db: Db,
  lang: string,
  slug: string,
  { translations }: { translations: boolean },
): Promise<Set<string>> {
  // A slug that is shortened to append a number keeps at least this many characters.
  const pattern = `${slug.slice(0, 180)}%`
  const ofPosts = db
    .selectFrom('posts')
    .select('slug')
    .where('lang', '=', lang)
    .where('deleted_at', 'is', null)
    .where('slug', 'like', pattern)
  const ofTranslations = db
    .selectFrom('post_translations')
    .select('slug')
    .where('lang', '=', lang)
    .where('slug', 'like', pattern)
  const rows = await (translations ? ofPosts.unionAll(ofTranslations) : ofPosts).execute()
  return new Set(rows.map((row) => row.slug))
}

export async function countOfType(db: Db, userId: string, type: string, butFor: string): Promise<number> {
  const row = await db
    .selectFrom('posts')
    .select((build) => build.fn.countAll<string>().as('count'))
    .where('user_id', '=', userId)
    .where('post_type', '=', type)
    .where('deleted_at', 'is', null)
    .where('id', '<>', butFor)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export async function findKnown(db: Db, table: 'post_categories' | 'post_tags', ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom(table).select('id').where('id', 'in', ids).orderBy('id').forKeyShare().execute()
  return rows.map(({ id }) => id)
}

export async function replaceCategories(db: Db, postId: string, ids: string[]): Promise<void> {
  await db.deleteFrom('post_category_links').where('post_id', '=', postId).execute()
  const rows = ids.map((id) => ({ post_id: postId, category_id: id }))
  if (rows.length > 0) await db.insertInto('post_category_links').values(rows).execute()
}

export async function replaceTags(db: Db, postId: string, ids: string[]): Promise<void> {
  await db.deleteFrom('post_tag_links').where('post_id', '=', postId).execute()
  const rows = ids.map((id) => ({ post_id: postId, tag_id: id }))
  if (rows.length > 0) await db.insertInto('post_tag_links').values(rows).execute()
}

/** Skips locked posts. The next run deletes them. */
export async function purgePosts(
  db: Db,
  before: Date,
  limit: number,
): Promise<{ featured_image_key: string | null }[]> {
  const { rows } = await sql<{ featured_image_key: string | null }>`DELETE FROM posts WHERE id IN (
    SELECT id FROM posts WHERE deleted_at < ${before} ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING featured_image_key`.execute(db)
  return rows
}

export const findWritten = (db: Db, more: MoreColumns, userId: string) =>
  db
    .selectFrom('posts')
    .select(more)
    .select(['id', 'lang', 'title', 'slug', 'body', 'body_format', 'excerpt', 'status', 'visibility'])
    .select(['metadata', 'created_at', 'updated_at', 'published_at', 'deleted_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
