import type { Db } from '../../../db/tables.ts'

/** The titles of permissions in a language, or else in English. Those without a title are absent. */
export async function findTitles(
  db: Db,
  permissions: readonly string[],
  lang: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('permissions')
    .select(['key', 'title'])
    .where('key', 'in', [...permissions])
    .where('retired_at', 'is', null)
    .execute()
  return new Map(
    rows.flatMap(({ key, title }) => {
      const text = title[lang] ?? title.en
      return text ? [[key, text] as const] : []
    }),
  )
}
