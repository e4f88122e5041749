import type { Context } from '../../../context.ts'
import { anyone, visitor } from '../../../http/access/access.ts'
import { envelope } from '../../../http/responses/envelope.ts'
import { documentSender } from '../../../http/responses/send-document.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { boundedQueue } from '../../../lib/bounded-queue.ts'
import { base } from '../names.ts'
import { listAddresses } from './addresses.ts'
import { readFeed } from './feed.ts'
import { atom, type FeedFormat, json, rss } from './feed-formats.ts'
import { readFeedQuery } from './feed-query.ts'
import { AddressesRoute, AtomRoute, JsonFeedRoute, RssRoute, SitemapRoute } from './schemas.ts'
import { makeSitemap } from './sitemap.ts'

const kinds: Record<string, { schema: typeof RssRoute; format: FeedFormat }> = {
  'feed.xml': { schema: RssRoute, format: rss },
  'feed.atom': { schema: AtomRoute, format: atom },
  'feed.json': { schema: JsonFeedRoute, format: json },
}

export const sitemapRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const config = { access: anyone, limit: 'read', module: { id: 'blog', component: 'ext-sitemap' } } as const
    // These documents can be several megabytes, so each process builds at most two concurrently.
    const large = boundedQueue(2, 20)
    const sendDocument = documentSender(ctx.clock)

    http.get(`${base}/sitemap.xml`, { schema: SitemapRoute, config }, async (request, reply) =>
      sendDocument(request, reply, await large.run(() => makeSitemap(ctx, request.query.page))),
    )
    http.get(
      `${base}/sitemap`,
      { schema: AddressesRoute, config: { ...config, access: visitor, whileImpersonating: 'allowed' } },
      async (request) => {
        const { addresses, meta } = await listAddresses(ctx, request.query)
        return envelope(request, addresses, meta)
      },
    )
    for (const [file, { schema, format }] of Object.entries(kinds)) {
      http.get(`${base}/${file}`, { schema, config }, async (request, reply) => {
        const wanted = readFeedQuery(await ctx.postTypeProvider.load(), request.query)
        return sendDocument(request, reply, format(await large.run(() => readFeed(ctx, file, wanted))))
      })
    }
  }
