import Type from 'typebox'
import { describe, Id, pageMembers, Timestamp, UserContext } from '../../../http/responses/schemas.ts'
import { listMeta } from '../schemas.ts'

const tag = 'Blog'

const document = (operationId: string, summary: string, description: string, querystring: object, types: string[]) => ({
  operationId,
  summary,
  description,
  tags: [tag],
  redirects: { 304: 'The document has not changed.' },
  querystring,
  response: {
    200: {
      description: 'the document',
      content: Object.fromEntries(types.map((type) => [type, { schema: Type.Unsafe<Buffer>({ type: 'string' }) }])),
    },
  },
})

const lang = Type.Optional(
  Type.String({
    description: 'posts written in this language or translated into it; default: all languages',
    examples: ['es'],
  }),
)

const SitemapQuery = Type.Object({ page: pageMembers.page })
export const SitemapRoute = {
  ...document(
    'getSitemap',
    'Get the sitemap of all public posts',
    'If there are more than 50,000 URLs, returns an index of parts (`page`). Supports conditional requests (304).',
    SitemapQuery,
    ['application/xml'],
  ),
  errors: ['NOT_FOUND'] as const,
  querystring: SitemapQuery,
}

export const AddressesRoute = describe(
  {
    operationId: 'listSitemapAddresses',
    summary: 'List the URLs of all public posts',
    description: 'Contains the URL and the last change of each post and translation that everyone may read.',
    tag,
  },
  {
    querystring: Type.Object({
      page: pageMembers.page,
      limit: Type.Optional(
        Type.Integer({ minimum: 1, description: 'default: 10; values above 1000 are treated as 1000' }),
      ),
      lang,
    }),
  },
  Type.Object({
    data: Type.Array(
      Type.Object({ id: Id, slug: Type.String(), lang: Type.String(), url: Type.String(), updated_at: Timestamp }),
    ),
    user_context: UserContext,
    meta: Type.Object(listMeta),
  }),
)

const text = (description: string, example: string) => Type.Optional(Type.String({ description, examples: [example] }))
const FeedQuery = Type.Object({
  lang,
  category: text('id or slug', 'engines'),
  tag: text('id or slug', 'analysis'),
  author: text('id of the user', '0198c1a2-3b4c-7d5e-8f60-718293a4b5c6'),
  post_type: text('post type key; default: all types', 'post'),
  limit: Type.Optional(Type.Integer({ minimum: 1, description: 'default: 20; values above 50 are treated as 50' })),
})
const feed = (operationId: string, kind: string, type: string) => ({
  ...document(
    operationId,
    `Get the post feed as ${kind}`,
    'Newest first. Supports conditional requests (304).',
    FeedQuery,
    [type],
  ),
  querystring: FeedQuery,
})
export const RssRoute = feed('getRssFeed', 'RSS 2.0', 'application/rss+xml')
export const AtomRoute = feed('getAtomFeed', 'Atom 1.0', 'application/atom+xml')
export const JsonFeedRoute = feed('getJsonFeed', 'JSON Feed 1.1', 'application/feed+json')
