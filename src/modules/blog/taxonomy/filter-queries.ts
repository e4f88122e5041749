import { sql } from 'kysely'
import type { Db } from '../../../db/tables.ts'

export async function findTagIds(db: Db, name: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`SELECT id FROM post_tags
    WHERE id::text = ${name} OR slug = ${name} ORDER BY id`.execute(db)
  return rows.map(({ id }) => id)
}

export async function findCategoryIds(db: Db, name: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`WITH RECURSIVE sought AS (
      SELECT id FROM post_categories WHERE id::text = ${name} OR slug = ${name}
      UNION SELECT c.id FROM post_categories c JOIN sought s ON c.parent_id = s.id)
    SELECT id FROM sought ORDER BY id`.execute(db)
  return rows.map(({ id }) => id)
}

export async function userExists(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM users WHERE id = ${id} AND deleted_at IS NULL`.execute(db)
  return rows.length > 0
}
