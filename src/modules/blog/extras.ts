import type { Context } from '../../context.ts'
import type { PostReader } from './access.ts'
import { hasExtension } from './components.ts'
import { countColumns, findExtras, viewerColumns } from './extras-queries.ts'

export interface PostExtras {
  counts: Record<string, number>
  viewer?: { reaction?: string | null; bookmarked?: boolean }
  translations?: string[]
}

export async function findPostExtras(
  ctx: Context,
  ids: readonly string[],
  reader: PostReader,
): Promise<Map<string, PostExtras>> {
  const counts = countColumns.filter(({ component }) => hasExtension(ctx, component))
  const viewer = reader ? viewerColumns.filter(({ component }) => hasExtension(ctx, component)) : []
  const translations = hasExtension(ctx, 'ext-translations')
  const rows = await findExtras(ctx.db, ids, { counts, viewer, translations, readerId: reader?.id })
  const extrasOf = (row: Record<string, unknown>): PostExtras => ({
    counts: membersOf(row, counts),
    ...(reader && { viewer: membersOf(row, viewer) }),
    ...(translations && { translations: row.translations as string[] }),
  })
  return new Map(rows.map((row) => [row.id, extrasOf(row)]))
}

export async function extrasOf(ctx: Context, id: string, reader: PostReader): Promise<PostExtras> {
  return (await findPostExtras(ctx, [id], reader)).get(id) ?? { counts: {} }
}

const membersOf = (row: Record<string, unknown>, columns: readonly { name: string }[]) =>
  Object.fromEntries(columns.map(({ name }) => [name, row[name]])) as Record<string, never>
