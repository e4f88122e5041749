import type { FoundPost, FoundTerm, ImportFinding, ImportSource, SourceOptions } from './import-source.ts'
import { UnreadableFile } from './import-source.ts'
import { type ImportNote, listed, note, unreadable } from './notes.ts'
import { isObject, listValue, objectValue, textValue, timeValue } from './read-value.ts'

type Row = Record<string, unknown>

interface Tables {
  emails: Map<string, string>
  tags: Map<string, FoundTerm>
  tagsOf: Map<string, string[]>
  authorsOf: Map<string, string[]>
  meta: Map<string, Row>
  /** The ids of email-only posts, which have no page on the site. */
  mailOnly: Set<string>
}

export function ghostTables(file: unknown): Row | undefined {
  const database = listValue(objectValue(file).db)[0] ?? file
  const data = objectValue(objectValue(database).data)
  return Array.isArray(data.posts) ? data : undefined
}

export function openGhost(data: Row, options: SourceOptions): ImportSource {
  const tables: Tables = {
    emails: new Map(listValue(data.users).map((user) => [textValue(user.id), textValue(user.email)])),
    tags: new Map(
      listValue(data.tags).map((tag) => [textValue(tag.id), { name: textValue(tag.name), slug: textValue(tag.slug) }]),
    ),
    tagsOf: grouped(data.posts_tags, 'tag_id'),
    authorsOf: grouped(data.posts_authors, 'author_id'),
    meta: new Map(listValue(data.posts_meta).map((row) => [textValue(row.post_id), row])),
    mailOnly: new Set(
      listValue(data.posts_meta)
        .filter(isMailOnly)
        .map((row) => textValue(row.post_id)),
    ),
  }
  const { lang } = options
  const posts = data.posts
  if (!Array.isArray(posts)) throw new UnreadableFile('The Ghost export contains no list of posts')
  return {
    ...{ format: 'Ghost', lang, isLanguageOfAll: false, categories: [], tags: [] },
    async *read() {
      for (const row of posts) yield isObject(row) ? findingOf(row, tables, options) : notAPost
    },
  }
}

const notAPost: ImportFinding = { skipped: 'it is not an object', title: '' }

function grouped(rows: unknown, member: string): Map<string, string[]> {
  const sorted = listValue(rows).toSorted((one, other) => Number(one.sort_order ?? 0) - Number(other.sort_order ?? 0))
  const groups = Map.groupBy(sorted, (row) => textValue(row.post_id))
  return new Map([...groups].map(([id, members]) => [id, members.map((row) => textValue(row[member]))]))
}

const states = new Map<string, FoundPost['status']>([
  ['published', 'published'],
  // These posts are sent only by email and never shown on the site.
  ['sent', 'draft'],
  ['draft', 'draft'],
  ['scheduled', 'scheduled'],
])

function findingOf(row: Row, tables: Tables, { pages, site }: SourceOptions): ImportFinding {
  const title = textValue(row.title)
  const id = textValue(row.id)
  const isPage = row.type === 'page' || row.page === true || row.page === 1
  if (isPage && !pages) return { skipped: 'it is a page: use --pages to import pages as posts', title }
  const input = textValue(row.status)
  const isMail = input === 'sent' || isMailOnly(row) || tables.mailOnly.has(id)
  const status = isMail && states.has(input) ? 'draft' : states.get(input)
  if (!status) return { skipped: `its status is ${textValue(row.status) || 'unknown'}`, title }
  if (id === '') return { skipped: 'it has no id', title }
  const here = (text: string) => text.replaceAll('__GHOST_URL__', site ?? '')
  const html = here(textValue(row.html))
  const published = timeValue(row.published_at)
  const image = here(textValue(row.feature_image))
  const visibility = visibilityOf(row.visibility)
  return {
    post: {
      key: `ghost ${textValue(row.uuid) || id}`,
      ...{ title, slug: textValue(row.slug), status, visibility },
      body: html || here(textValue(row.plaintext)) || null,
      bodyFormat: html === '' ? 'text' : 'html',
      excerpt: textValue(row.custom_excerpt) || null,
      password: undefined,
      lang: textValue(row.locale) || undefined,
      email: tables.emails.get(tables.authorsOf.get(id)?.[0] ?? textValue(row.author_id)),
      featuredImage: image || undefined,
      createdAt: timeValue(row.created_at),
      updatedAt: timeValue(row.updated_at),
      publishedAt: status === 'published' ? published : undefined,
      scheduledAt: status === 'scheduled' ? published : undefined,
      categories: [],
      // In Ghost, tags that begin with # are internal.
      tags: (tables.tagsOf.get(id) ?? [])
        .flatMap((tag) => tables.tags.get(tag) ?? [])
        .filter(({ name }) => !name.startsWith('#')),
      ...{ commentsEnabled: true, reactionsEnabled: true, comments: [], translations: [] },
      address: site === undefined ? undefined : `${site}/${textValue(row.slug)}/`,
      metadata: { imported_from: 'ghost' },
      typed: {},
      notes: [
        ...(isMail ? [note('it was sent by mail only: it is imported as a draft')] : []),
        ...(html === '' && textValue(row.lexical) + textValue(row.mobiledoc) !== ''
          ? [note('the file contains only its plain text')]
          : []),
        ...(isPage ? [note('it is a page, imported as a post')] : []),
        ...notesOf(row, tables, { id, visibility, site }),
      ],
    },
  }
}

const leftOut = [
  ...['codeinjection_head', 'codeinjection_foot', 'canonical_url', 'custom_template', 'featured', 'og_image'],
  ...['og_title', 'og_description', 'twitter_image', 'twitter_title', 'twitter_description', 'meta_title'],
  ...['meta_description', 'email_subject', 'frontmatter', 'feature_image_alt', 'feature_image_caption'],
]

function notesOf(
  row: Row,
  { meta, tags, tagsOf, authorsOf }: Tables,
  { id, visibility, site }: { id: string; visibility: string; site: string | undefined },
): ImportNote[] {
  const all = { ...meta.get(id), ...row }
  const lost = leftOut.filter((name) => all[name])
  const input = textValue(row.visibility)
  const lostTags = (tagsOf.get(id) ?? []).map((tag) => tags.get(tag)?.name ?? tag)
  const kept = (name: string) => !name.startsWith('#') && [...tags.values()].some((tag) => tag.name === name)
  const others = (authorsOf.get(id) ?? []).slice(1)
  const hasAddress = [row.html, row.plaintext, row.feature_image].some((text) =>
    textValue(text).includes('__GHOST_URL__'),
  )
  return [
    ...unreadable({
      created_at: [row.created_at, timeValue(row.created_at)],
      updated_at: [row.updated_at, timeValue(row.updated_at)],
      published_at: [row.published_at, timeValue(row.published_at)],
    }),
    ...(lost.length > 0 ? [note('it has members that are not supported', listed(lost))] : []),
    ...(visibility === 'private' ? [note('its visibility is not supported, so it is private', input)] : []),
    ...(lostTags.some((name) => !kept(name))
      ? [note('internal or unknown tags are omitted', listed(lostTags.filter((name) => !kept(name))))]
      : []),
    ...(others.length > 0 ? [note('a post has only one author: others are omitted', `${others.length}`)] : []),
    ...(site === undefined && hasAddress ? [note('addresses of its own site are incomplete: set --site')] : []),
  ]
}

const isMailOnly = ({ email_only }: Row): boolean => email_only === true || email_only === 1

/** Posts for paying members become private until an author changes their visibility. */
const visibilityOf = (value: unknown): FoundPost['visibility'] =>
  value === undefined || value === 'public' ? 'public' : value === 'members' ? 'auth' : 'private'
