import type { Context } from '../../context.ts'
import type { Db } from '../../db/tables.ts'
import { hasExtension } from './components.ts'
import { findTakenSlugs } from './queries.ts'
import { findTranslatedSlugs } from './translations/queries.ts'

/** The slugs that posts and translations of a language have of this one and its numbered followers. */
export async function takenSlugs(ctx: Context, db: Db, lang: string, slug: string): Promise<Set<string>> {
  const posts = await findTakenSlugs(db, lang, slug)
  return hasExtension(ctx, 'ext-translations') ? posts.union(await findTranslatedSlugs(db, lang, slug)) : posts
}
