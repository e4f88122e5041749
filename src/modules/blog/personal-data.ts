import type { PersonalData } from '../../context.ts'
import { iso } from '../../lib/time.ts'
import { findWritten } from './queries.ts'

/** Posts outlive their authors, without their name: foreign keys see to that. */
export const blogData: PersonalData = {
  tables: ['posts', 'post_revisions'],
  collect: async (ctx, db, { id }) => ({
    posts: (await findWritten(db, ctx.postTypes.columns(), id)).map((post) => ({
      ...post,
      created_at: iso(post.created_at),
      updated_at: iso(post.updated_at),
      published_at: post.published_at && iso(post.published_at),
      deleted_at: post.deleted_at && iso(post.deleted_at),
    })),
  }),
}
