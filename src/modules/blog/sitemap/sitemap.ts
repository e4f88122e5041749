import type { Context } from '../../../context.ts'
import type { TextDocument } from '../../../http/responses/send-document.ts'
import { AppError } from '../../../lib/errors.ts'
import { iso } from '../../../lib/time.ts'
import { type XmlMarkup, xml } from '../../../lib/xml.ts'
import { base } from '../names.ts'
import { publicAddress } from './public-address.ts'
import { type AddressRow, countLanguages, countOpen, findAddresses, findNth } from './queries.ts'
import { type SitemapScope, scopeOf } from './scope.ts'

/** sitemaps.org allows 50,000 URLs and 50 MB per file. The limit on language links bounds the file size. */
const limits = { addresses: 50_000, links: 200_000 }

const batch = 1_000

export async function makeSitemap(ctx: Context, page: number | undefined): Promise<TextDocument> {
  const scope = await scopeOf(ctx)
  const size = postsPerPage(scope.hasTranslations ? await countLanguages(ctx.db) : 0)
  const posts = await countOpen(ctx.db, scope)
  const pages = Math.max(1, Math.ceil(posts / size))
  if (page === undefined && pages > 1) return { ...xmlFile, text: index(ctx, pages).markup }
  const number = page ?? 1
  if (number > pages) throw new AppError('NOT_FOUND')
  const from = await findNth(ctx.db, scope, (number - 1) * size)
  return urlSet(ctx, scope, { isFirst: number === 1, from, size })
}

const xmlFile = { type: 'application/xml' }

/** Leaves room for the front page URL. Each post has an entry per language, with links to all languages. */
function postsPerPage(languages: number): number {
  const each = 1 + languages
  return Math.max(1, Math.floor(Math.min((limits.addresses - 1) / each, limits.links / each ** 2)))
}

const index = ({ config }: Context, pages: number): XmlMarkup => {
  const parts = Array.from({ length: pages }, (_, at) => `${config.PUBLIC_URL}${base}/sitemap.xml?page=${at + 1}`)
  return xml`<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${parts.map((part) => xml`<sitemap><loc>${part}</loc></sitemap>\n`)}</sitemapindex>
`
}

interface Part {
  isFirst: boolean
  /** The id of the first post. Undefined if there are no posts. */
  from: string | undefined
  size: number
}

/** A sitemap file must not be empty, so the first file always contains the front page. */
async function urlSet(ctx: Context, scope: SitemapScope, { isFirst, from, size }: Part): Promise<TextDocument> {
  const chunks = [opening.markup]
  if (isFirst) chunks.push(xml`<url><loc>${ctx.config.BLOG_PUBLIC_BASE_URL}</loc></url>\n`.markup)
  for await (const rows of inBatches(ctx, scope, from, size))
    chunks.push(...rows.flatMap((row) => urlsOf(ctx, scope, row)))
  chunks.push('</urlset>\n')
  return { ...xmlFile, text: chunks.join('') }
}

const opening = xml`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
`

async function* inBatches(
  { db }: Context,
  scope: SitemapScope,
  first: string | undefined,
  size: number,
): AsyncGenerator<AddressRow[]> {
  let from = first
  for (let left = size; from !== undefined && left > 0; ) {
    const wanted = Math.min(batch, left)
    // Reads one extra row because its id is the start of the next batch.
    const rows: AddressRow[] = await findAddresses(db, scope, { from, limit: wanted + 1 })
    from = rows[wanted]?.id
    left -= wanted
    yield rows.slice(0, wanted)
  }
}

/** Search engines require one entry per language, each with links to all languages. */
function urlsOf({ config }: Context, scope: SitemapScope, row: AddressRow): string[] {
  const versions = [row, ...(row.translations ?? [])].map((version) => ({
    lang: version.lang,
    address: publicAddress(config, scope, version, row),
    updated: iso(new Date(version.updated_at)),
  }))
  const link = ({ lang, address }: (typeof versions)[number]) =>
    xml`<xhtml:link rel="alternate" hreflang="${lang}" href="${address}"/>`
  const links = versions.length > 1 ? versions.map(link) : []
  return versions.map(
    ({ address, updated }) => xml`<url><loc>${address}</loc><lastmod>${updated}</lastmod>${links}</url>\n`.markup,
  )
}
