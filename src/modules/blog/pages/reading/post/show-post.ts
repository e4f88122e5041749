import type { FastifyReply } from 'fastify'
import type { PostOutcome } from '../comments/view.ts'
import { linkWithQuery } from '../links.ts'
import { lockedView } from '../locked/view.ts'
import type { Reader } from '../reader.ts'
import { readingPaths } from '../schemas.ts'
import { editPathOf } from './edit-path.ts'
import { loadComments, loadPost } from './load-post.ts'
import { postView } from './view.ts'

export interface NamedPost {
  slug: string
  /** The part of the path between `/blog` and the slug. */
  place: string | undefined
  lang: string | undefined
}

interface Query extends PostOutcome {
  comments?: string
}

export async function showPost(
  reader: Reader,
  named: NamedPost,
  { comments, ...outcome }: Query,
  status = 200,
): Promise<FastifyReply> {
  const loaded = await loadPost(reader, named.slug, named.lang)
  if (loaded === 'locked') return reader.send(lockedView(reader, named), { lang: named.lang, isPersonal: true })
  const path = reader.links.pathOf(loaded.post)
  // The path contains only slugs and languages of stored posts, so the redirect never leads to another site.
  if (status === 200 && path !== pathOfRequest(named)) return reader.lead(path, loaded.wasRenamed ? 'for good' : 'now')
  const [discussion, editPath] = await Promise.all([
    loadComments(reader, loaded.post, comments),
    editPathOf(reader, loaded.post),
  ])
  const { status: state, visibility } = loaded.post
  const isPersonal = state !== 'published' || visibility !== 'public' || outcome.done !== undefined
  return reader.send(postView(reader, { ...loaded, editPath }, discussion, outcome), {
    lang: loaded.post.lang,
    isPersonal,
    status,
  })
}

const pathOfRequest = ({ place, slug, lang }: NamedPost): string =>
  linkWithQuery([readingPaths.blog, ...(place === undefined ? [] : [place]), slug].join('/'), { lang })
