import type { TextDocument } from '../../../http/responses/send-document.ts'
import { iso } from '../../../lib/time.ts'
import { xml } from '../../../lib/xml.ts'
import type { FeedEntry, PostFeed } from './feed.ts'

export type FeedFormat = (feed: PostFeed) => TextDocument

/** Follows RSS 2.0, with the usual namespaces for content and author names. */
export const rss: FeedFormat = (feed) => ({
  type: 'application/rss+xml',
  text: xml`<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/">
<channel>
<title>${feed.title}</title>
<link>${feed.home}</link>
<description>${feed.title}</description>
${feed.lang && xml`<language>${feed.lang}</language>\n`}${
  feed.modified && xml`<lastBuildDate>${feed.modified.toUTCString()}</lastBuildDate>\n`
}<atom:link href="${feed.address}" rel="self" type="application/rss+xml"/>
${feed.entries.map(rssItem)}</channel>
</rss>
`.markup,
})

const rssItem = (entry: FeedEntry) => xml`<item>
<title>${entry.title}</title>
<link>${entry.address}</link>
<guid isPermaLink="false">${entry.id}</guid>
<pubDate>${entry.published.toUTCString()}</pubDate>
${entry.author && xml`<dc:creator>${entry.author}</dc:creator>\n`}${entry.topics.map(
  (topic) => xml`<category>${topic}</category>\n`,
)}${entry.image === null ? undefined : xml`<media:content url="${entry.image}" medium="image"/>\n`}<description>${asHtml(entry.summary)}</description>
${entry.html === null ? undefined : xml`<content:encoded>${entry.html}</content:encoded>\n`}</item>
`

/** Feed readers interpret a description as HTML, so plain text is escaped twice. */
const asHtml = (text: string): string => xml`${text}`.markup

/** Follows RFC 4287. */
export const atom: FeedFormat = (feed) => ({
  type: 'application/atom+xml',
  text: xml`<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"${feed.lang && xml` xml:lang="${feed.lang}"`}>
<id>${feed.address}</id>
<title>${feed.title}</title>
<updated>${iso(feed.modified ?? 0)}</updated>
<author><name>${feed.title}</name></author>
<link rel="self" type="application/atom+xml" href="${feed.address}"/>
<link rel="alternate" href="${feed.home}"/>
${feed.entries.map(atomEntry)}</feed>
`.markup,
})

const atomEntry = (entry: FeedEntry) => xml`<entry xml:lang="${entry.lang}">
<id>${entry.id}</id>
<title>${entry.title}</title>
<link rel="alternate" href="${entry.address}"/>
${entry.image === null ? undefined : xml`<link rel="enclosure" href="${entry.image}"/>\n`}<published>${iso(entry.published)}</published>
<updated>${iso(entry.updated)}</updated>
${entry.author && xml`<author><name>${entry.author}</name></author>\n`}${entry.topics.map(
  (topic) => xml`<category term="${topic}"/>\n`,
)}<summary>${entry.summary}</summary>
${entry.html === null ? undefined : xml`<content type="html">${entry.html}</content>\n`}</entry>
`

/** Follows JSON Feed 1.1. */
export const json: FeedFormat = (feed) => ({
  type: 'application/feed+json',
  text: JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    home_page_url: feed.home,
    feed_url: feed.address,
    ...(feed.lang && { language: feed.lang }),
    items: feed.entries.map(jsonItem),
  }),
})

const jsonItem = (entry: FeedEntry) => ({
  id: entry.id,
  url: entry.address,
  title: entry.title,
  ...(entry.html === null ? { content_text: entry.summary } : { content_html: entry.html }),
  summary: entry.summary,
  ...(entry.image !== null && { image: entry.image }),
  date_published: iso(entry.published),
  date_modified: iso(entry.updated),
  ...(entry.author && { authors: [{ name: entry.author }] }),
  ...(entry.topics.length > 0 && { tags: entry.topics }),
  language: entry.lang,
})
