import type { FoundComment, FoundPost, FoundTerm, ImportFinding, ImportSource, SourceOptions } from './import-source.ts'
import { UnreadableFile } from './import-source.ts'
import { type ImportNote, listed, note, unreadable } from './notes.ts'
import { withoutMarkup } from './plain-text.ts'
import { readXml, textIn, type XmlElement } from './read-xml.ts'
import { wordpressBody } from './wordpress-body.ts'

/** Data that the posts refer to. It may come before or after the posts in the file. */
interface Site {
  version: string
  address: string
  language: string | undefined
  emails: Map<string, string>
  categories: Map<string, { name: string; parent: string; description: string }>
  files: Map<string, string>
  /** The lines outside posts that have been repaired. */
  repaired: number[]
}

const records = new Set(['item', 'language', 'wp:wxr_version', 'wp:base_blog_url', 'wp:author', 'wp:category'])
const maxFiles = 1_000_000

/** Reads the entire file before the import starts, to reject broken files and to find data that follows the posts. */
export async function openWordpress(
  chunks: () => AsyncIterable<Uint8Array>,
  { pages, lang }: SourceOptions,
): Promise<ImportSource> {
  const found = await readSite(chunks())
  const site = { ...found, language: lang ?? found.language }
  return {
    ...{ format: 'WordPress', lang, isLanguageOfAll: true, categories: [], tags: [] },
    notes: notesOfRepair('the site', found.repaired),
    async *read() {
      for await (const element of readXml(chunks(), new Set(['item']))) yield findingOf(element, site, pages)
    },
  }
}

async function readSite(chunks: AsyncIterable<Uint8Array>): Promise<Site> {
  const site: Site = {
    ...{ version: '', address: '', language: undefined },
    ...{ emails: new Map(), categories: new Map(), files: new Map(), repaired: [] },
  }
  for await (const element of readXml(chunks, records)) {
    const text = element.text.trim()
    if (element.name !== 'item') site.repaired.push(...(element.repaired ?? []))
    if (element.name === 'wp:wxr_version') site.version = text
    if (element.name === 'wp:base_blog_url') site.address = text
    if (element.name === 'language') site.language = text
    if (element.name === 'wp:author')
      site.emails.set(textIn(element, 'wp:author_login').trim(), textIn(element, 'wp:author_email').trim())
    if (element.name === 'wp:category') {
      site.categories.set(textIn(element, 'wp:category_nicename').trim(), {
        name: withoutMarkup(textIn(element, 'wp:cat_name')),
        parent: textIn(element, 'wp:category_parent').trim(),
        description: withoutMarkup(textIn(element, 'wp:category_description')),
      })
    }
    if (element.name !== 'item' || textIn(element, 'wp:post_type') !== 'attachment') continue
    if (site.files.size >= maxFiles) throw new UnreadableFile(`The file has more than ${maxFiles} attachments`)
    site.files.set(textIn(element, 'wp:post_id').trim(), textIn(element, 'wp:attachment_url').trim())
  }
  if (site.version === '')
    throw new UnreadableFile('The file is XML, but not an export of WordPress: it has no wp:wxr_version')
  return site
}

const states = new Map<string, FoundPost['status']>([
  ['publish', 'published'],
  ['private', 'published'],
  ['future', 'scheduled'],
  ['draft', 'draft'],
  ['pending', 'pending'],
])

function findingOf(item: XmlElement, site: Site, pages: boolean): ImportFinding {
  const text = (name: string) => textIn(item, name).trim()
  const title = withoutMarkup(textIn(item, 'title'))
  const type = text('wp:post_type')
  if (type !== 'post' && !(pages && type === 'page')) return { skipped: reasonFor(type), title }
  const status = states.get(text('wp:status'))
  if (!status) return { skipped: `its status is ${text('wp:status') || 'unknown'}`, title }
  const id = text('wp:post_id')
  if (id === '') return { skipped: 'it has no wp:post_id', title }
  const { body, notes } = wordpressBody(textIn(item, 'content:encoded'))
  const created = timeOf(text('wp:post_date_gmt')) ?? timeOf(text('wp:post_date'))
  const password = textIn(item, 'wp:post_password')
  const [thumbnail] = metaOf(item, '_thumbnail_id')
  const post: FoundPost = {
    key: `wordpress ${site.address} ${id}`,
    ...{ title, body, bodyFormat: 'html', password: password || undefined },
    notes: [...notes, ...notesOf(item, site)],
    slug: text('wp:post_name'),
    formerSlugs: metaOf(item, '_wp_old_slug').map((slug) => ({ slug })),
    excerpt: withoutMarkup(textIn(item, 'excerpt:encoded')) || null,
    status,
    visibility: text('wp:status') === 'private' ? 'private' : password ? 'password' : 'public',
    lang: site.language,
    email: site.emails.get(text('dc:creator')),
    featuredImage: thumbnail === undefined ? undefined : site.files.get(thumbnail.trim()),
    createdAt: created,
    updatedAt: timeOf(text('wp:post_modified_gmt')),
    publishedAt: status === 'published' ? created : undefined,
    scheduledAt: status === 'scheduled' ? created : undefined,
    categories: termsOf(item, 'category').map((term) => withParents(term, site)),
    tags: termsOf(item, 'post_tag'),
    commentsEnabled: text('wp:comment_status') !== 'closed',
    reactionsEnabled: true,
    comments: item.children.filter(({ name }) => name === 'wp:comment').flatMap((one) => commentOf(one, site)),
    translations: [],
    address: text('link') || undefined,
    metadata: { imported_from: 'wordpress', ...(text('link') && { original_address: text('link') }) },
    typed: {},
  }
  return { post }
}

const known = new Set(['_thumbnail_id', '_wp_old_slug'])

/** Elements that are read, and elements without a meaning outside WordPress. */
const knownElements = new Set([
  ...[
    'title',
    'link',
    'pubDate',
    'guid',
    'description',
    'dc:creator',
    'content:encoded',
    'excerpt:encoded',
    'category',
  ],
  ...['wp:post_id', 'wp:post_date', 'wp:post_date_gmt', 'wp:post_modified', 'wp:post_modified_gmt', 'wp:post_name'],
  ...['wp:post_type', 'wp:post_parent', 'wp:post_password', 'wp:status', 'wp:comment_status', 'wp:ping_status'],
  ...['wp:menu_order', 'wp:is_sticky', 'wp:postmeta', 'wp:comment'],
])

function notesOf(item: XmlElement, site: Site): ImportNote[] {
  const text = (name: string) => textIn(item, name).trim()
  const many = (name: string) => item.children.filter((child) => child.name === name)
  const dates = ['wp:post_date_gmt', 'wp:post_modified_gmt'].map((name) => [name, [text(name), timeOf(text(name))]])
  const meta = many('wp:postmeta').map((child) => textIn(child, 'wp:meta_key'))
  const domains = many('category').map(({ attributes }) => attributes.domain ?? '')
  const thumbnail = metaOf(item, '_thumbnail_id')[0]?.trim()
  const lostComments = many('wp:comment').filter((one) => commentOf(one, site).length === 0).length
  const withTags = ['title', 'excerpt:encoded'].filter((name) => /<\/?[a-z!]/i.test(textIn(item, name)))
  const lost = (what: string, names: string[]) => (names.length > 0 ? [note(what, listed(names))] : [])
  return [
    ...notesOfRepair('the post', item.repaired),
    ...unreadable(Object.fromEntries(dates)),
    ...(text('wp:post_type') === 'page' ? [note('it is a page, imported as a post')] : []),
    ...(text('wp:is_sticky') === '1' ? [note('it is sticky, which is not supported')] : []),
    ...lost(
      'its custom fields are omitted',
      meta.filter((key) => !known.has(key)),
    ),
    ...lost(
      'it has elements that are not supported',
      item.children.map(({ name }) => name).filter((name) => !knownElements.has(name)),
    ),
    ...lost(
      'custom taxonomies are omitted',
      domains.filter((name) => !['category', 'post_tag'].includes(name)),
    ),
    ...(thumbnail !== undefined && !site.files.has(thumbnail)
      ? [note('the file does not contain its featured image')]
      : []),
    ...lost('HTML is removed from plain text', withTags),
    ...(lostComments > 0 ? [note('pingbacks and comments in the trash are omitted', `${lostComments}`)] : []),
  ]
}

const notesOfRepair = (what: string, lines: number[] = []): ImportNote[] =>
  lines.length > 0
    ? [note(`the XML of ${what} is not well-formed and is repaired`, `line ${listed(lines.map(String))}`)]
    : []

const reasonFor = (type: string): string =>
  type === 'page' ? 'it is a page: use --pages to import pages as posts' : `it is of the type ${type || 'unknown'}`

/** Parses a time such as `2020-01-31 09:00:00` as UTC. WordPress writes zeros for an unknown time. */
function timeOf(text: string): Date | undefined {
  const match = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})$/.exec(text)
  const time = match ? new Date(`${match[1]}T${match[2]}Z`) : undefined
  return time && time.getTime() > 0 ? time : undefined
}

const metaOf = (item: XmlElement, key: string): string[] =>
  item.children
    .filter((child) => child.name === 'wp:postmeta' && textIn(child, 'wp:meta_key') === key)
    .map((child) => textIn(child, 'wp:meta_value'))

const termsOf = (item: XmlElement, domain: string): FoundTerm[] =>
  item.children
    .filter(({ name, attributes }) => name === 'category' && attributes.domain === domain)
    .map(({ attributes, text }) => ({ name: withoutMarkup(text), slug: attributes.nicename ?? '' }))

/** Keeps at most eight levels of categories, the maximum depth in this service. */
function withParents(term: FoundTerm, { categories }: Site, level = 1): FoundTerm {
  const known = categories.get(term.slug)
  const parent = known && level < 8 ? categories.get(known.parent) : undefined
  return {
    ...term,
    description: known?.description ?? '',
    ...(known &&
      parent && {
        parent: withParents({ name: parent.name, slug: known.parent }, { categories } as Site, level + 1),
      }),
  }
}

const commentStates = new Map<string, FoundComment['status']>([
  ['1', 'approved'],
  ['0', 'pending'],
  ['spam', 'spam'],
])

/** Pingbacks and trackbacks are not imported, because other sites generate them. */
function commentOf(comment: XmlElement, site: Site): FoundComment[] {
  const text = (name: string) => textIn(comment, name).trim()
  const status = commentStates.get(text('wp:comment_approved'))
  const id = text('wp:comment_id')
  if (!status || id === '' || !['', 'comment'].includes(text('wp:comment_type'))) return []
  const key = (number: string) => `wordpress ${site.address} comment ${number}`
  const parent = text('wp:comment_parent')
  return [
    {
      key: key(id),
      parentKey: parent === '' || parent === '0' ? undefined : key(parent),
      // Guests can enter any email address, so only comments by signed-in users are assigned to a user.
      email: Number(text('wp:comment_user_id')) > 0 ? text('wp:comment_author_email') : undefined,
      text: textIn(comment, 'wp:comment_content'),
      isHtml: true,
      status,
      createdAt: timeOf(text('wp:comment_date_gmt')),
    },
  ]
}
