import type { Context } from '../../context.ts'
import { hasExtension } from './components.ts'
import { findTakenSlugs } from './queries.ts'
import { findTranslatedSlugs } from './translations/queries.ts'

export async function takenSlugs(ctx: Context, lang: string, slug: string): Promise<Set<string>> {
  const posts = await findTakenSlugs(ctx.db, lang, slug)
  return hasExtension(ctx, 'ext-translations') ? posts.union(await findTranslatedSlugs(ctx.db, lang, slug)) : posts
}
