import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { visitor } from '../../http/access/access.ts'
import { envelope } from '../../http/responses/envelope.ts'
import { finalNewline, sendPrepared, toAscii } from '../../http/responses/send-prepared.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import { listMetaOf } from '../../lib/paging.ts'
import { listPosts } from './lists/list-posts.ts'
import { ListPostsRoute } from './lists/schemas.ts'
import { base } from './names.ts'
import { ReadByIdRoute, ReadBySlugRoute } from './post-schemas.ts'
import { readInputFrom, readPost } from './read-post.ts'
import type { ResponseCache } from './response-cache.ts'
import { extrasOf, shownPost } from './shapes.ts'

/** Clients call these routes most often, so cached responses are sent without I/O and without creating a promise. */
export const readRoutes =
  (ctx: Context, cache: ResponseCache): DeclareRoutes =>
  (http) => {
    const config = {
      access: visitor,
      limit: 'read',
      whileImpersonating: 'allowed',
      module: 'blog',
      prepared: true,
    } as const
    http.get(`${base}/:slug`, { schema: ReadBySlugRoute, config }, (request, reply) =>
      respond(request, reply, request.params.slug, request.query.lang),
    )
    http.get(`${base}/id/:id`, { schema: ReadByIdRoute, config }, (request, reply) =>
      respond(request, reply, request.params.id, request.query.lang),
    )

    function respond(
      request: FastifyRequest,
      reply: FastifyReply,
      name: string,
      lang: string | undefined,
    ): void | Promise<void> {
      const text = request.auth ? undefined : cache.recall(nameOf(name, lang))
      if (text === undefined) return readAndResponse(request, reply, name, lang)
      sendPrepared(reply, text)
    }

    async function readAndResponse(
      request: FastifyRequest,
      reply: FastifyReply,
      name: string,
      lang: string | undefined,
    ) {
      const keep = cache.beginRead()
      const { post, types, fallbackLang, redirectedFrom } = await readPost(ctx, name, readInputFrom(request, lang))
      const extras = await extrasOf(ctx, post.id, request.auth?.user)
      const meta = {
        cached: false as const,
        ...(fallbackLang !== undefined && { fallback_lang: fallbackLang }),
        ...(redirectedFrom !== undefined && { redirected_from: redirectedFrom }),
      }
      const body = envelope(request, { ...shownPost(ctx, types, post), ...extras }, meta)
      const text = toAscii(String(reply.serializeInput(body, '200'))) + finalNewline(ctx.config)
      if (!request.auth && post.visibility === 'public' && post.status === 'published') keep(nameOf(name, lang), text)
      sendPrepared(reply, text)
    }
  }

/** The key is JSON so that different pairs of name and language never have the same key. */
const nameOf = (post: string, lang: string | undefined): string => JSON.stringify([post, lang])

export const listRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const read = { access: visitor, limit: 'read', whileImpersonating: 'allowed', module: 'blog' } as const
    http.get(base, { schema: ListPostsRoute, config: read }, async (request) => {
      const { posts, pagination } = await listPosts(ctx, request.auth?.user, request.query)
      return envelope(request, posts, listMetaOf(pagination))
    })
  }
