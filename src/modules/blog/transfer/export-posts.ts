import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/tables.ts'
import { iso } from '../../../lib/time.ts'
import { pictureAddress } from '../../../users/picture-address.ts'
import { hasExtension } from '../components.ts'
import type { PostTypeRules } from '../post-type-provider.ts'
import { exportFormat, exportVersion } from './from-export.ts'
import {
  type ExportedPost,
  findCategories,
  findCommentsOn,
  findFormerSlugsOf,
  findPostsAfter,
  findTags,
  findTranslationsOf,
} from './queries.ts'

const atATime = 50

/** Writes one post per line so that an import can read the document as a stream. All posts come from one snapshot. */
export const exportPosts = (ctx: Context, write: (text: string) => Promise<void>): Promise<number> =>
  ctx.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (db) => {
      const terms = await readTerms(db)
      const head = { format: exportFormat, version: exportVersion, exported_at: iso(ctx.clock.now()), ...terms.lists }
      await write(`${JSON.stringify(head).slice(0, -1)},"posts":[\n`)
      const types = await ctx.postTypeProvider.loadFresh(db)
      let count = 0
      for await (const post of postsOf({ ...ctx, db }, types, terms)) {
        await write(`${count === 0 ? '' : ',\n'}${JSON.stringify(post)}`)
        count++
      }
      await write('\n]}\n')
      return count
    })

interface Term {
  name: string
  slug: string
  lang: string
  description?: string
  sort_order?: number
  parent?: Term
}

interface Terms {
  lists: { categories: Term[]; tags: Term[] }
  byId: ReadonlyMap<string, Term>
}

async function readTerms(db: Db): Promise<Terms> {
  const categories = new Map((await findCategories(db)).map(({ id, parent_id, ...term }) => [id, { parent_id, term }]))
  const nested = ({ parent_id, term }: { parent_id: string | null; term: Term }, level = 1): Term => {
    const parent = parent_id === null || level >= 8 ? undefined : categories.get(parent_id)
    return parent ? { ...term, parent: nested(parent, level + 1) } : term
  }
  const tags = new Map((await findTags(db)).map(({ id, ...term }) => [id, term]))
  const whole = new Map([...categories].map(([id, category]) => [id, nested(category)]))
  return { lists: { categories: [...whole.values()], tags: [...tags.values()] }, byId: new Map([...whole, ...tags]) }
}

async function* postsOf(ctx: Context, types: PostTypeRules, { byId }: Terms) {
  const named = (ids: string[]) => ids.flatMap((id) => byId.get(id) ?? [])
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const posts = await findPostsAfter(ctx.db, ctx.postTypeProvider.columns(), after, atATime)
    const last = posts.at(-1)
    if (!last) return
    after = last.id
    const ids = posts.map(({ id }) => id)
    const comments = hasExtension(ctx, 'ext-comments') ? await findCommentsOn(ctx.db, ids) : []
    const formerSlugs = await findFormerSlugsOf(ctx.db, ids)
    const translations = hasExtension(ctx, 'ext-translations') ? await findTranslationsOf(ctx.db, ids) : []
    for (const post of posts) {
      yield {
        ...shownPost(ctx, post),
        ...types.shown(post),
        categories: named(post.category_ids),
        tags: named(post.tag_ids),
        former_slugs: formerSlugs
          .filter(({ post_id }) => post_id === post.id)
          .map(({ lang, slug }) => ({ lang, slug })),
        comments: comments
          .filter(({ post_id, deleted_at }) => post_id === post.id && deleted_at === null)
          .map(({ id, parent_id, author_email, comment_body, status, created_at }) => ({
            ...{ id, parent_id, author_email, comment_body, status, created_at },
          })),
        translations: translations
          .filter(({ post_id }) => post_id === post.id)
          .map(({ lang, title, slug, body, excerpt, author_email }) => ({
            ...{ lang, title, slug, body, excerpt, author_email },
          })),
      }
    }
  }
}

const shownPost = ({ config }: Context, post: ExportedPost) => ({
  ...{ id: post.id, lang: post.lang, title: post.title, slug: post.slug, author_email: post.author_email },
  ...{ body: post.body, body_format: post.body_format, excerpt: post.excerpt },
  featured_image: post.featured_image && pictureAddress(config, post.featured_image),
  ...{ status: post.status, visibility: post.visibility, metadata: post.metadata },
  ...{ comments_enabled: post.comments_enabled, reactions_enabled: post.reactions_enabled },
  ...{ scheduled_at: post.scheduled_at, published_at: post.published_at },
  ...{ created_at: post.created_at, updated_at: post.updated_at },
})
