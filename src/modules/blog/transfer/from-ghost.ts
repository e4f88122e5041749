import type { FoundPost, FoundTerm, ImportFinding, ImportSource, SourceOptions } from './import-source.ts'
import { UnreadableFile } from './import-source.ts'
import { type ImportNote, listed, note, unreadable } from './notes.ts'
import { isObject, isTrue, listValue, objectValue, textValue, timeValue, unknownMembersOf } from './read-value.ts'

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
    emails: new Map(identified(data.users).map((user) => [textValue(user.id), textValue(user.email)])),
    tags: new Map(
      identified(data.tags).map((tag) => [textValue(tag.id), { name: textValue(tag.name), slug: textValue(tag.slug) }]),
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

/** Rows without an id would otherwise all have the same one. */
const identified = (rows: unknown) => listValue(rows).filter(({ id }) => textValue(id) !== '')

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
  const isPage = row.type === 'page' || isTrue(row.page)
  if (isPage && !pages) return { skipped: 'it is a page: use --pages to import pages as posts', title }
  const input = textValue(row.status)
  const isMail = input === 'sent' || isMailOnly(row) || tables.mailOnly.has(id)
  const status = isMail && states.has(input) ? 'draft' : states.get(input)
  if (!status) return { skipped: `its status is ${textValue(row.status) || 'unknown'}`, title }
  if (id === '') return { skipped: 'it has no id', title }
  const here = (text: string) => text.replaceAll('__GHOST_URL__', site ?? '')
  const { body, bodyFormat, notes } = bodyOf(row)
  const published = timeValue(row.published_at)
  const image = here(textValue(row.feature_image ?? row.image))
  const visibility = visibilityOf(row.visibility)
  return {
    post: {
      key: `ghost ${textValue(row.uuid) || id}`,
      ...{ title, slug: textValue(row.slug), status, visibility },
      ...{ body: here(body) || null, bodyFormat },
      excerpt: textValue(row.custom_excerpt) || null,
      password: undefined,
      lang: textValue(row.locale) || textValue(row.language) || undefined,
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
        ...notes,
        ...(isPage ? [note('it is a page, imported as a post')] : []),
        ...notesOf(row, tables, { id, visibility, site }),
      ],
    },
  }
}

/** The HTML and the plain text are made from the other forms. Early versions of Ghost stored Markdown. */
function bodyOf(row: Row): Pick<FoundPost, 'bodyFormat' | 'notes'> & { body: string } {
  const [html, markdown, text] = [textValue(row.html), textValue(row.markdown), textValue(row.plaintext)]
  if (html) return { body: html, bodyFormat: 'html', notes: [] }
  if (markdown) return { body: markdown, bodyFormat: 'markdown', notes: [] }
  const unread = ['html', 'lexical', 'mobiledoc', 'markdown'].filter((name) => row[name])
  if (unread.length === 0) return { body: text, bodyFormat: 'text', notes: [] }
  const what = text
    ? 'the file contains only its plain text'
    : 'its body is in a form that cannot be read, and is omitted'
  return { body: text, bodyFormat: 'text', notes: [note(what, text ? '' : listed(unread))] }
}

/** Members that are read, and members without a meaning outside the file. */
const known: ReadonlySet<string> = new Set([
  ...[
    'id',
    'uuid',
    'title',
    'slug',
    'status',
    'type',
    'page',
    'visibility',
    'html',
    'markdown',
    'plaintext',
    'lexical',
  ],
  ...['mobiledoc', 'custom_excerpt', 'locale', 'language', 'author_id', 'feature_image', 'image', 'created_at'],
  ...['updated_at', 'published_at', 'email_only', 'post_id', 'comment_id', 'created_by', 'updated_by', 'published_by'],
  ...['newsletter_id', 'email_recipient_filter', 'show_title_and_feature_image', 'amp'],
])

function notesOf(
  row: Row,
  { meta, tags, tagsOf, authorsOf }: Tables,
  { id, visibility, site }: { id: string; visibility: string; site: string | undefined },
): ImportNote[] {
  const lost = unknownMembersOf({ ...row, ...meta.get(id) }, known)
  const input = textValue(row.visibility)
  const lostTags = (tagsOf.get(id) ?? []).map((tag) => tags.get(tag)?.name ?? tag)
  const kept = (name: string) => !name.startsWith('#') && [...tags.values()].some((tag) => tag.name === name)
  const others = (authorsOf.get(id) ?? []).slice(1)
  const hasAddress = [row.html, row.markdown, row.plaintext, row.feature_image, row.image].some((text) =>
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

const isMailOnly = ({ email_only }: Row): boolean => isTrue(email_only)

/** Posts for paying members become private until an author changes their visibility. */
const visibilityOf = (value: unknown): FoundPost['visibility'] =>
  value === undefined || value === 'public' ? 'public' : value === 'members' ? 'auth' : 'private'
