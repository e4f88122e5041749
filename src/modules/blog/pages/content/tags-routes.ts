import type { FastifyReply } from 'fastify'
import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { AppError } from '../../../../lib/errors.ts'
import { looksLikeId } from '../../../../lib/ids.ts'
import type { AdminVisit } from '../../../../ui/console/admin-visit.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import type { ShownTag } from '../../taxonomy/schemas.ts'
import { MergeTagRoute, tagSchemas } from '../../taxonomy/schemas.ts'
import { linkWithQuery } from '../reading/links.ts'
import { contentPages, contentRightsOf, form, read } from './content-visit.ts'
import { contentPaths, MergeTagFormRoute, MergeTagPageRoute, mergePath, TagsPageRoute } from './schemas.ts'
import { chooseTagPage, confirmMergePage, type TagList, tagsPage } from './tags-view.ts'

const pageSize = 50

export const contentTagRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = contentPages(ctx, http)
    pages.get(contentPaths.tags, { schema: TagsPageRoute, config: read }, async (member, { query }) => {
      const list = await loadTags(ctx, member, query)
      return member.show((page) => tagsPage({ ...list, done: query.done }, page))
    })
    pages.get(contentPaths.mergeTag, { schema: MergeTagPageRoute, config: read }, async (member, { params, query }) => {
      const tag = await getTag(ctx, member, params.id)
      if (query.into !== undefined) return confirm(member, tag, query.into)
      const list = await loadTags(ctx, member, { ...query, lang: tag.lang })
      return member.show((page) => chooseTagPage({ ...list, tag }, page))
    })
    pages.post(contentPaths.mergeTag, { schema: MergeTagFormRoute, config: form }, async (member, { params, body }) => {
      const tag = await getTag(ctx, member, params.id)
      const merge = call(MergeTagRoute, { params: { id: tag.id }, body: { into: body.into } })
      const response = await member.submit(mergePath(tag.id), body.form_token, merge)
      if (response.ok) return member.go(linkWithQuery(contentPaths.tags, { done: 'merged' }))
      return confirm(member, tag, body.into, { code: response.rejection.code, status: response.status })
    })
  }

/** Shows the number of posts that the merge changes, as counted by the API. */
async function confirm(
  member: AdminVisit,
  tag: ShownTag,
  intoId: string,
  rejection?: { code: string; status: number },
): Promise<FastifyReply> {
  if (!looksLikeId(intoId)) throw new AppError('NOT_FOUND')
  const into = await member.read(call(tagSchemas.read, { params: { id: intoId } }))
  const plan = call(MergeTagRoute, { params: { id: tag.id }, body: { into: into.id, dry_run: true } })
  const response = await member.api(plan)
  if (!response.ok) throw new AppError(response.status === 429 ? 'RATE_LIMITED' : 'NOT_FOUND')
  const merge = { tag, into, counts: response.body.data, formToken: member.sign(mergePath(tag.id)) }
  return member.show(
    (page) => confirmMergePage({ ...merge, area: member.area, problem: rejection?.code }, page),
    rejection?.status,
  )
}

async function getTag(ctx: Context, member: AdminVisit, id: string): Promise<ShownTag> {
  if (!contentRightsOf(ctx, member).administers) throw new AppError('FORBIDDEN')
  if (!looksLikeId(id)) throw new AppError('NOT_FOUND')
  return member.read(call(tagSchemas.read, { params: { id } }))
}

async function loadTags(
  ctx: Context,
  member: AdminVisit,
  { q, lang, page }: { q?: string; lang?: string; page?: string },
): Promise<TagList> {
  const rights = contentRightsOf(ctx, member)
  if (!rights.administers) throw new AppError('FORBIDDEN')
  const number = Math.max(1, Math.trunc(Number(page ?? 1)) || 1)
  const wanted = { q: q?.slice(0, 100), lang, page: number, limit: pageSize }
  const response = await member.api(call(tagSchemas.list, { query: wanted }))
  if (!response.ok && response.status === 429) throw new AppError('RATE_LIMITED')
  const { data: tags, meta } = response.ok ? response.body : { data: [], meta: { total: 0, pages: 1 } }
  return { area: member.area, rights, tags, q, page: number, pages: Math.max(1, meta.pages), total: meta.total }
}
