import type { FastifyReply } from 'fastify'
import { AppError } from '../../../../../lib/errors.ts'
import { looksLikeId } from '../../../../../lib/ids.ts'
import { call } from '../../../../../ui/shared/api-route.ts'
import { AddCommentRoute } from '../../../comments/schemas.ts'
import { linkWithQuery } from '../links.ts'
import { loadPost } from '../post/load-post.ts'
import { showPost } from '../post/show-post.ts'
import type { Reader } from '../reader.ts'
import { readingPaths } from '../schemas.ts'
import { passwordHeader } from '../unlock-cookie.ts'

interface CommentForm {
  post_id: string
  slug: string
  lang?: string
  parent_id?: string
  comment_body: string
  form_token?: string
}

export async function postComment(reader: Reader, form: CommentForm): Promise<FastifyReply> {
  const { post_id: id, slug, lang, parent_id, comment_body, form_token: formToken } = form
  if (!looksLikeId(id)) throw new AppError('NOT_FOUND')
  const headers = passwordHeader(reader.unlocked.passwordFor(slug))
  const body = { comment_body, ...(parent_id && { parent_id }) }
  const add = call(AddCommentRoute, { params: { id }, body, headers: { ...headers } })
  const response = await reader.submit(readingPaths.comment, formToken, add)
  if (!response.ok) {
    const outcome = { reply: parent_id, comment: comment_body, problem: response.rejection.code }
    return showPost(reader, { slug, place: undefined, lang }, outcome, response.status)
  }
  const loaded = await loadPost(reader, slug, lang)
  const path = loaded === 'locked' ? readingPaths.blog : reader.links.pathOf(loaded.post)
  const done = response.body.data.status === 'approved' ? 'commented' : 'pending'
  return reader.lead(`${linkWithQuery(path, { done })}#comments`, 'now')
}
