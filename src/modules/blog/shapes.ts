import type { Context } from '../../context.ts'
import { iso } from '../../lib/time.ts'
import { pictureAddress } from '../../users/picture-address.ts'
import type { PostReader } from './access.ts'
import { hasExtension } from './components.ts'
import { countColumns, findExtras, viewerColumns } from './extras-queries.ts'
import type { ListedPostRow } from './lists/list-queries.ts'
import type { PostTypeRules } from './post-type-provider.ts'
import type { FullPost, PostRow } from './queries.ts'
import type { RevisionRow } from './revision-queries.ts'

type ShapeContext = Pick<Context, 'config'>

const time = (at: Date | null): string | null => (at ? iso(at) : null)

export const shownPost = ({ config }: ShapeContext, types: PostTypeRules, post: FullPost) => ({
  id: post.id,
  slug: post.slug,
  title: post.title,
  lang: post.lang,
  body: post.body,
  body_format: post.body_format,
  body_html: post.body_html,
  excerpt: post.excerpt ?? post.body_start,
  featured_image: post.featured_image === null ? null : pictureAddress(config, post.featured_image),
  status: post.status,
  visibility: post.visibility,
  password_protected: post.visibility === 'password',
  user_id: post.author && post.user_id,
  author: post.author && { ...post.author, picture: pictureAddress(config, post.author.picture) || null },
  categories: post.categories,
  tags: post.tags,
  comments_enabled: post.comments_enabled,
  reactions_enabled: post.reactions_enabled,
  scheduled_at: time(post.scheduled_at),
  published_at: time(post.published_at),
  created_at: iso(post.created_at),
  updated_at: iso(post.updated_at),
  metadata: post.metadata,
  ...types.shown(post),
})

export const shownRevision = ({
  id,
  post_id,
  user_id,
  title,
  excerpt,
  created_at,
}: Pick<RevisionRow, 'id' | 'post_id' | 'user_id' | 'title' | 'excerpt' | 'created_at'>) => ({
  id,
  post_id,
  user_id,
  title,
  excerpt,
  created_at: iso(created_at),
})

export const shownMove = (id: string, { status, scheduled_at }: Pick<PostRow, 'status' | 'scheduled_at'>) => ({
  id,
  status,
  ...(status === 'scheduled' && { scheduled_at: time(scheduled_at) }),
})

export function shownListedPost(ctx: ShapeContext, types: PostTypeRules, post: ListedPostRow) {
  const {
    body,
    body_html: _none,
    ...shown
  } = shownPost(ctx, types, { ...post, body: post.body ?? null, body_html: null })
  return {
    ...shown,
    ...('body' in post && { body }),
    ...(post.deleted_at && { status: 'deleted' as const, deleted_at: iso(post.deleted_at) }),
  }
}

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
