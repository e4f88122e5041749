import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../../../db/tables.ts'
import type { MoreColumns, PostRow } from '../queries.ts'
import { columns } from '../queries.ts'
import { kinds, type TermKind } from '../taxonomy/queries.ts'

export async function findTermId(
  db: Db,
  kind: TermKind,
  { lang, slug, name }: { lang: string; slug: string; name: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`SELECT id FROM ${sql.table(kinds[kind])}
    WHERE lang = ${lang} AND (slug = ${slug} OR lower(name) = lower(${name}))
    ORDER BY slug = ${slug} DESC, id LIMIT 1`.execute(db)
  return rows[0]?.id
}

export async function findUserIdByEmail(db: Db, email: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.id
}

export const postExists = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom('posts').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

export type ExportedPost = PostRow & { author_email: string | null; category_ids: string[]; tag_ids: string[] }

export async function findPostsAfter(db: Db, more: MoreColumns, after: string, limit: number): Promise<ExportedPost[]> {
  const listed = [...columns, ...more].map((name) => sql.ref(`p.${name}`))
  const { rows } = await sql<ExportedPost>`SELECT ${sql.join(listed)},
      (SELECT u.email FROM users u WHERE u.id = p.user_id AND u.deleted_at IS NULL) AS author_email,
      ARRAY(SELECT l.category_id::text FROM post_category_links l WHERE l.post_id = p.id ORDER BY 1) AS category_ids,
      ARRAY(SELECT l.tag_id::text FROM post_tag_links l WHERE l.post_id = p.id ORDER BY 1) AS tag_ids
    FROM posts p WHERE p.id > ${after} AND p.deleted_at IS NULL ORDER BY p.id LIMIT ${limit}`.execute(db)
  return rows
}

export const findCategories = (db: Db) =>
  db
    .selectFrom('post_categories')
    .select(['id', 'name', 'slug', 'lang', 'description', 'parent_id', 'sort_order'])
    .orderBy('id')
    .execute()

export const findTags = (db: Db) =>
  db.selectFrom('post_tags').select(['id', 'name', 'slug', 'lang']).orderBy('id').execute()

type Comment = Selectable<Tables['post_comments']>
type ExportedComment = Pick<
  Comment,
  'id' | 'post_id' | 'parent_id' | 'comment_body' | 'status' | 'created_at' | 'deleted_at'
> & { author_email: string | null }

type Translation = Selectable<Tables['post_translations']>
type ExportedTranslation = Pick<Translation, 'post_id' | 'lang' | 'title' | 'slug' | 'body' | 'excerpt'> & {
  author_email: string | null
}

const authorEmail = (alias: string) =>
  sql<string | null>`(SELECT u.email FROM users u WHERE u.id = ${sql.ref(`${alias}.user_id`)} AND u.deleted_at IS NULL)`

export const findFormerSlugsOf = (db: Db, postIds: string[]) =>
  db
    .selectFrom('post_former_slugs')
    .select(['post_id', 'lang', 'slug'])
    .where('post_id', 'in', postIds)
    .orderBy('lang')
    .orderBy('slug')
    .execute()

export const findCommentsOn = (db: Db, postIds: string[]): Promise<ExportedComment[]> =>
  db
    .selectFrom('post_comments as c')
    .select(['c.id', 'c.post_id', 'c.parent_id', 'c.comment_body', 'c.status', 'c.created_at', 'c.deleted_at'])
    .select(authorEmail('c').as('author_email'))
    .where('c.post_id', 'in', postIds)
    .orderBy('c.depth')
    .orderBy('c.created_at')
    .orderBy('c.id')
    .execute()

export const findTranslationsOf = (db: Db, postIds: string[]): Promise<ExportedTranslation[]> =>
  db
    .selectFrom('post_translations as t')
    .select(['t.post_id', 't.lang', 't.title', 't.slug', 't.body', 't.excerpt'])
    .select(authorEmail('t').as('author_email'))
    .where('t.post_id', 'in', postIds)
    .orderBy('t.lang')
    .execute()
