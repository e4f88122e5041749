import type { FastifyReply } from 'fastify'
import type { Context } from '../../../../context.ts'
import type { AdminVisit } from '../../../../ui/console/admin-visit.ts'
import { call, type ResponseOf } from '../../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { CreatePostRoute, PreviewPostRoute, UpdatePostRoute } from '../../post-schemas.ts'
import type { ShownPost } from '../../schemas.ts'
import { linkWithQuery } from '../reading/links.ts'
import { articleData } from '../reading/post/view.ts'
import { contentRightsOf } from './content-visit.ts'
import { bodyOf, tagIdsOf } from './editor-body.ts'
import { contentPaths, postPath } from './schemas.ts'
import { type EditedPost, showEditor } from './show-editor.ts'

export async function savePost(ctx: Context, member: AdminVisit, edited: EditedPost): Promise<FastifyReply> {
  const { post, values, type } = edited
  const path = post ? postPath(post.id) : contentPaths.create
  const show = (rejection: ApiRejection, status: number) =>
    showEditor(ctx, member, { ...edited, rejection, values: nextValues(edited, rejection) }, status)
  if (!(await member.isOwn(path, values.form_token))) return show({ code: 'PAGE_EXPIRED' }, 400)
  if (values.action === 'preview') return showPreview(ctx, member, edited)
  const { administers } = contentRightsOf(ctx, member)
  const tags = await tagIdsOf(member, values.tags ?? '', values.lang ?? '', administers)
  if ('unknown' in tags) return show(unknownTag, 400)
  const body = { ...bodyOf(values, type, member.profile.user.tmz), tag_ids: tags.ids }
  const response = await member.api<ResponseOf<typeof CreatePostRoute | typeof UpdatePostRoute>>(
    post
      ? call(UpdatePostRoute, { params: { id: post.id }, body: { ...body, ...expected(values) } })
      : call(CreatePostRoute, { body }),
  )
  if (!response.ok) return show(response.rejection, response.status)
  const { id, status } = response.body.data
  return member.go(linkWithQuery(postPath(id), { done: doneAs(values.action, post?.status, status) }))
}

const unknownTag: ApiRejection = { code: 'UNKNOWN_TAG' }

const expected = ({ expected_updated_at }: EditedPost['values']) => expected_updated_at && { expected_updated_at }

/** The page has shown the conflict, so a second save is deliberate and replaces the other version. */
const nextValues = ({ post, values }: EditedPost, { code }: ApiRejection): EditedPost['values'] =>
  code === 'EDIT_CONFLICT' ? { ...values, expected_updated_at: post?.updated_at } : values

type Status = ShownPost['status']

/** A save can return the post to approval. */
const doneAs = (action: string | undefined, before: Status | undefined, status: Status): string => {
  const isSave = action === 'save' || action === undefined
  return isSave && (status !== 'pending' || before === status) ? 'saved' : status
}

async function showPreview(ctx: Context, member: AdminVisit, edited: EditedPost): Promise<FastifyReply> {
  const { post, values, type } = edited
  const { body = '', body_format, title = '', excerpt = '', lang = '' } = values
  const response = await member.api(call(PreviewPostRoute, { body: { body, body_format } }))
  if (!response.ok) return showEditor(ctx, member, { ...edited, rejection: response.rejection }, response.status)
  const { data } = response.body
  const shown = { title, lang, body, body_html: data.body_html, excerpt: excerpt || data.excerpt }
  const article = (page: PageContext) => articleData({ ctx }, page, { ...emptyPost(post, type.key), ...shown })
  return showEditor(ctx, member, { ...edited, preview: article })
}

const emptyPost = (post: ShownPost | undefined, post_type: string): ShownPost =>
  post ?? {
    ...{ id: '', slug: '', title: '', lang: '', body: null, body_format: 'markdown', body_html: null, excerpt: '' },
    ...{ featured_image: null, status: 'draft', visibility: 'public', password_protected: false, user_id: null },
    ...{ author: null, categories: [], tags: [], comments_enabled: true, reactions_enabled: true },
    ...{ scheduled_at: null, published_at: null, created_at: unsaved, updated_at: unsaved, metadata: {}, post_type },
    counts: {},
  }

const unsaved = new Date(0).toISOString()
