import type { Context, PersonalData } from '../../context.ts'
import type { Db } from '../../db/tables.ts'
import { iso } from '../../lib/time.ts'
import { listOfModule } from '../../profile/schemas.ts'
import { findBookmarksOf, removeBookmarksOf } from './bookmarks/queries.ts'
import { findCommentsOf } from './comments/queries.ts'
import { type BlogExtension, hasExtension } from './components.ts'
import { trashUnpublished } from './move-post.ts'
import { findWritten } from './queries.ts'
import { findReactionsOf } from './reactions/queries.ts'
import { findTranslatedBy } from './translations/queries.ts'

const ofExtensions: Record<string, { component: BlogExtension; find: (db: Db, userId: string) => Promise<object[]> }> =
  {
    comments: { component: 'ext-comments', find: findCommentsOf },
    reactions: { component: 'ext-reactions', find: findReactionsOf },
    bookmarks: { component: 'ext-bookmarks', find: findBookmarksOf },
    translations: { component: 'ext-translations', find: findTranslatedBy },
  }

/**
 * When a user is erased, foreign keys set the author of posts, translations and comments to null, and delete reactions
 * and bookmarks.
 */
export const blogData: PersonalData = {
  tables: ['posts', 'post_revisions', 'post_comments', 'post_reactions', 'post_bookmarks', 'post_translations'],
  exported: Object.fromEntries(['posts', ...Object.keys(ofExtensions)].map((name) => [name, { schema: listOfModule }])),
  unproven: async (tx, { id }) => {
    await trashUnpublished(tx, id)
    if (hasExtension(tx, 'ext-bookmarks')) await removeBookmarksOf(tx.db, id)
  },
  collect: async (ctx, { id }) => ({
    posts: (await findWritten(ctx.db, ctx.postTypeProvider.columns(), id)).map(withTexts),
    ...(await collectFromExtensions(ctx, id)),
  }),
}

async function collectFromExtensions(ctx: Context, userId: string): Promise<Record<string, object[]>> {
  const collected: Record<string, object[]> = {}
  for (const [name, { component, find }] of Object.entries(ofExtensions)) {
    if (hasExtension(ctx, component)) collected[name] = (await find(ctx.db, userId)).map(withTexts)
  }
  return collected
}

const withTexts = (row: object): object =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value instanceof Date ? iso(value) : value]))
