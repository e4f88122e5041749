import { sql } from 'kysely'
import type { Db } from '../db/tables.ts'
import type { MessageTemplate } from './check-template.ts'

export interface TemplateVersion {
  version: number
  /** Undefined if this version restores the built-in message. */
  template: MessageTemplate | undefined
  author_id: string | null
  created_at: Date
}

interface TemplateRow extends Omit<TemplateVersion, 'template'> {
  subject: string | null
  text: string | null
  html: string | null
}

const columns = ['version', 'subject', 'text', 'html', 'author_id', 'created_at'] as const

const versionOf = ({ subject, text, html, ...row }: TemplateRow): TemplateVersion => ({
  ...row,
  template: subject === null || text === null ? undefined : { subject, text, html },
})

/** The template is read for each message so that a change takes effect on all nodes immediately. */
export async function findTemplate(db: Db, name: string, language: string): Promise<TemplateVersion | undefined> {
  const [newest] = await findVersions(db, name, language, 1)
  return newest
}

export const findVersions = async (db: Db, name: string, language: string, limit: number): Promise<TemplateVersion[]> =>
  (
    await db
      .selectFrom('message_templates')
      .select(columns)
      .where('name', '=', name)
      .where('language', '=', language)
      .orderBy('version', 'desc')
      .limit(limit)
      .execute()
  ).map(versionOf)

export async function findTemplateVersion(
  db: Db,
  name: string,
  language: string,
  version: number,
): Promise<TemplateVersion | undefined> {
  const row = await db
    .selectFrom('message_templates')
    .select(columns)
    .where('name', '=', name)
    .where('language', '=', language)
    .where('version', '=', version)
    .executeTakeFirst()
  return row && versionOf(row)
}

/** Returns the newest version for each message and language. */
export async function findNewestTemplates(db: Db): Promise<(TemplateVersion & { name: string; language: string })[]> {
  const rows = await db
    .selectFrom('message_templates')
    .distinctOn(['name', 'language'])
    .select(['name', 'language', ...columns])
    .orderBy('name')
    .orderBy('language')
    .orderBy('version', 'desc')
    .execute()
  return rows.map(({ name, language, ...row }) => ({ name, language, ...versionOf(row) }))
}

export interface NewVersion {
  name: string
  language: string
  /** The version on which the new version is based, or 0 if there was none. */
  after: number
  template: MessageTemplate | undefined
  author_id: string | null
  created_at: Date
}

/** Returns undefined if another version has been added in the meantime. */
export async function insertVersion(db: Db, { after, template, ...row }: NewVersion): Promise<number | undefined> {
  const { subject = null, text = null, html = null } = template ?? {}
  const { rows } = await sql<{ version: number }>`
    INSERT INTO message_templates (name, language, version, subject, text, html, author_id, created_at)
    SELECT ${row.name}, ${row.language}, ${after}::int + 1, ${subject}, ${text}, ${html}, ${row.author_id}::uuid,
      ${row.created_at}::timestamptz
    WHERE ${after}::int = (SELECT coalesce(max(version), 0) FROM message_templates
      WHERE name = ${row.name} AND language = ${row.language})
    ON CONFLICT (name, language, version) DO NOTHING RETURNING version`.execute(db)
  return rows[0]?.version
}

export const deleteVersionsUpTo = (db: Db, name: string, language: string, version: number) =>
  db
    .deleteFrom('message_templates')
    .where('name', '=', name)
    .where('language', '=', language)
    .where('version', '<=', version)
    .execute()
