import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import { always, both } from '../../../db/conditions.ts'
import type { Db, Tables } from '../../../db/tables.ts'
import type { PageRequest } from '../../../lib/paging.ts'
import { isCounted, isDue } from '../lists/readable-queries.ts'
import type { SitemapScope } from '../sitemap/scope.ts'

/** Categories form a tree. Tags do not. */
export const kinds = {
  category: 'post_categories',
  tag: 'post_tags',
} as const

export type TermKind = keyof typeof kinds

type Category = Selectable<Tables['post_categories']>
export type TaxonomyTerm = Selectable<Tables['post_tags']> &
  Partial<Pick<Category, 'description' | 'parent_id' | 'sort_order'>>
export type CountedTerm = TaxonomyTerm & { post_count: number }

const columns: Record<TermKind, readonly string[]> = {
  tag: ['id', 'name', 'slug', 'lang', 'created_at', 'updated_at'],
  category: ['id', 'name', 'slug', 'lang', 'created_at', 'updated_at', 'description', 'parent_id', 'sort_order'],
}

interface TermFilter {
  lang: string | undefined
  /** Selects terms whose names contain this text. */
  q: string | undefined
}

export async function findTerms(
  db: Db,
  kind: TermKind,
  { limit, offset, ...wanted }: TermFilter & PageRequest,
  scope: SitemapScope,
) {
  const matches = both([
    always,
    ...(wanted.lang === undefined ? [] : [sql<boolean>`t.lang = ${wanted.lang}`]),
    ...(wanted.q === undefined ? [] : [sql<boolean>`position(lower(${wanted.q}::text) IN lower(t.name)) > 0`]),
  ])
  const order = kind === 'category' ? sql`t.sort_order, t.name, t.id` : sql`t.name, t.id`
  const { rows: terms } = await selectTerms(
    kind,
    scope,
    sql`WHERE ${matches} ORDER BY ${order}
    LIMIT ${limit} OFFSET ${offset}`,
  ).execute(db)
  const { rows } = await sql<{ total: number }>`SELECT count(*) AS total FROM ${sql.table(kinds[kind])} t
    WHERE ${matches}`.execute(db)
  return { terms, total: Number(rows[0]?.total) }
}

/** Returns the term with this id, or else a term with this slug, preferably in the given language. */
export async function findTermNamed(
  db: Db,
  kind: TermKind,
  { name, lang }: { name: string; lang: string },
  scope: SitemapScope,
) {
  const { rows } = await selectTerms(
    kind,
    scope,
    sql`WHERE t.id::text = ${name} OR t.slug = ${name}
    ORDER BY t.id::text = ${name} DESC, t.lang = ${lang} DESC, t.created_at, t.id LIMIT 1`,
  ).execute(db)
  return rows[0]
}

/** Includes the number of public posts: the stored count plus the due posts that are not counted yet. */
function selectTerms(kind: TermKind, scope: SitemapScope, rest: RawBuilder<unknown>) {
  const id = sql.ref(`l.${kind}_id`)
  return sql<CountedTerm>`WITH due AS (SELECT ${id} AS id, count(*) AS posts
      FROM posts p JOIN ${sql.table(`post_${kind}_links`)} l ON l.post_id = p.id
      WHERE ${isDue(scope)} GROUP BY 1)
    SELECT ${sql.join(columns[kind].map((column) => sql.ref(`t.${column}`)))}, (coalesce((SELECT sum(c.posts)
        FROM post_counts c WHERE c.facet = ${kind} AND ${isCounted(scope)} AND c.key = t.id::text), 0)
      + coalesce((SELECT due.posts FROM due WHERE due.id = t.id), 0))::integer AS post_count
    FROM ${sql.table(kinds[kind])} t ${rest}`
}

/** Blocks other changes to terms of this kind until the transaction ends so that earlier checks stay valid. */
export const lockTerms = (db: Db, kind: TermKind) =>
  sql`LOCK TABLE ${sql.table(kinds[kind])} IN SHARE ROW EXCLUSIVE MODE`.execute(db)

export async function findTerm(db: Db, kind: TermKind, id: string): Promise<TaxonomyTerm | undefined> {
  const { rows } = await sql<TaxonomyTerm>`SELECT ${sql.join(columns[kind].map((column) => sql.ref(column)))}
    FROM ${sql.table(kinds[kind])} WHERE id = ${id}`.execute(db)
  return rows[0]
}

export async function findTermSlugs(db: Db, kind: TermKind, lang: string, slug: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom(kinds[kind])
    .select('slug')
    .where('lang', '=', lang)
    .where('slug', 'like', `${slug.slice(0, 180)}%`)
    .execute()
  return new Set(rows.map((row) => row.slug))
}

export type NewTerm = Insertable<Tables['post_tags']> & Pick<TermChanges, 'description' | 'parent_id' | 'sort_order'>
export type TermChanges = Updateable<Tables['post_categories']>

export const insertTerm = (db: Db, kind: TermKind, term: NewTerm) =>
  kind === 'category'
    ? db
        .insertInto('post_categories')
        .values({ parent_id: null, ...term })
        .execute()
    : db.insertInto('post_tags').values(term).execute()

export const updateTerm = (db: Db, kind: TermKind, id: string, changes: TermChanges) =>
  kind === 'category'
    ? db.updateTable('post_categories').set(changes).where('id', '=', id).execute()
    : db.updateTable('post_tags').set(changes).where('id', '=', id).execute()

/** The links between the term and posts are deleted by their foreign keys (ON DELETE CASCADE). */
export const removeTerm = (db: Db, kind: TermKind, id: string) =>
  db.deleteFrom(kinds[kind]).where('id', '=', id).execute()

export const moveChildren = (db: Db, from: string, to: string | null, now: Date) =>
  db.updateTable('post_categories').set({ parent_id: to, updated_at: now }).where('parent_id', '=', from).execute()

export async function findAncestors(db: Db, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`WITH RECURSIVE line AS (
      SELECT id, parent_id, 1 AS step FROM post_categories WHERE id = ${id}
      UNION ALL SELECT c.id, c.parent_id, step + 1 FROM post_categories c JOIN line ON c.id = line.parent_id WHERE step < 100
    ) SELECT id FROM line ORDER BY step`.execute(db)
  return rows.map((row) => row.id)
}

export async function findHeight(db: Db, id: string): Promise<number> {
  const { rows } = await sql<{ height: number }>`WITH RECURSIVE tree AS (
      SELECT id, 1 AS step FROM post_categories WHERE id = ${id}
      UNION ALL SELECT c.id, step + 1 FROM post_categories c JOIN tree ON c.parent_id = tree.id WHERE step < 100
    ) SELECT coalesce(max(step), 0) AS height FROM tree`.execute(db)
  return Number(rows[0]?.height)
}
