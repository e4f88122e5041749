import type { Db } from '../../../db/tables.ts'

interface Name {
  lang: string
  slug: string
}

/** If several posts have used the slug, the slug leads to the post that used it last. */
export const insertFormerSlug = (db: Db, postId: string, { lang, slug }: Name) =>
  db
    .insertInto('post_former_slugs')
    .values({ lang, slug, post_id: postId })
    .onConflict((conflict) => conflict.columns(['lang', 'slug']).doUpdateSet({ post_id: postId }))
    .execute()

export const removeFormerSlug = (db: Db, postId: string, { lang, slug }: Name) =>
  db
    .deleteFrom('post_former_slugs')
    .where('lang', '=', lang)
    .where('slug', '=', slug)
    .where('post_id', '=', postId)
    .execute()
