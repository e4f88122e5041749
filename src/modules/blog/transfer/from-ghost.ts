import type { Finding, FoundPost, FoundTerm, Source, SourceOptions } from './found.ts'
import { UnreadableFile } from './found.ts'
import { isObject, listOf, objectOf, textOf, timeOf } from './read-value.ts'

type Row = Record<string, unknown>

interface Tables {
  emails: Map<string, string>
  tags: Map<string, FoundTerm>
  tagsOf: Map<string, string[]>
  authorOf: Map<string, string>
}

/** The object that holds the tables, whichever way the version of Ghost has wrapped it; undefined for other files. */
export function ghostTables(file: unknown): Row | undefined {
  const database = listOf(objectOf(file).db)[0] ?? file
  const data = objectOf(objectOf(database).data)
  return Array.isArray(data.posts) ? data : undefined
}

export function openGhost(data: Row, options: SourceOptions): Source {
  const tables: Tables = {
    emails: new Map(listOf(data.users).map((user) => [textOf(user.id), textOf(user.email)])),
    tags: new Map(listOf(data.tags).map((tag) => [textOf(tag.id), { name: textOf(tag.name), slug: textOf(tag.slug) }])),
    tagsOf: grouped(data.posts_tags, 'tag_id'),
    authorOf: new Map([...grouped(data.posts_authors, 'author_id')].map(([id, authors]) => [id, authors[0] ?? ''])),
  }
  const { lang } = options
  const posts = data.posts
  if (!Array.isArray(posts)) throw new UnreadableFile('The export of Ghost holds no list of posts')
  return {
    ...{ format: 'Ghost', lang, isLanguageOfAll: false, categories: [], tags: [] },
    async *read() {
      for (const row of posts) yield isObject(row) ? findingOf(row, tables, options) : notAPost
    },
  }
}

const notAPost: Finding = { skipped: 'it is no object', title: '' }

/** What belongs to each post, in the order that the table says. */
function grouped(rows: unknown, member: string): Map<string, string[]> {
  const sorted = listOf(rows).toSorted((one, other) => Number(one.sort_order ?? 0) - Number(other.sort_order ?? 0))
  const groups = Map.groupBy(sorted, (row) => textOf(row.post_id))
  return new Map([...groups].map(([id, members]) => [id, members.map((row) => textOf(row[member]))]))
}

const states = new Map<string, FoundPost['status']>([
  ['published', 'published'],
  ['sent', 'published'],
  ['draft', 'draft'],
  ['scheduled', 'scheduled'],
])

function findingOf(row: Row, tables: Tables, { pages, site }: SourceOptions): Finding {
  const title = textOf(row.title)
  const id = textOf(row.id)
  const isPage = row.type === 'page' || row.page === true || row.page === 1
  if (isPage && !pages) return { skipped: 'it is a page: --pages takes pages as posts', title }
  const status = states.get(textOf(row.status))
  if (!status) return { skipped: `its status is ${textOf(row.status) || 'unknown'}`, title }
  if (id === '') return { skipped: 'it has no id', title }
  const here = (text: string) => text.replaceAll('__GHOST_URL__', site ?? '')
  const html = here(textOf(row.html))
  const published = timeOf(row.published_at)
  const image = here(textOf(row.feature_image))
  const visibility = visibilityOf(row.visibility)
  return {
    post: {
      key: `ghost ${textOf(row.uuid) || id}`,
      ...{ title, slug: textOf(row.slug), status, visibility },
      body: html || here(textOf(row.plaintext)) || null,
      bodyFormat: html === '' ? 'text' : 'html',
      excerpt: textOf(row.custom_excerpt) || null,
      password: undefined,
      lang: textOf(row.locale) || undefined,
      email: tables.emails.get(tables.authorOf.get(id) ?? textOf(row.author_id)),
      featuredImage: image || undefined,
      createdAt: timeOf(row.created_at),
      updatedAt: timeOf(row.updated_at),
      publishedAt: status === 'published' ? published : undefined,
      scheduledAt: status === 'scheduled' ? published : undefined,
      categories: [],
      // Names that begin with # are for the inside of Ghost.
      tags: (tables.tagsOf.get(id) ?? [])
        .flatMap((tag) => tables.tags.get(tag) ?? [])
        .filter(({ name }) => !name.startsWith('#')),
      ...{ commentsEnabled: true, reactionsEnabled: true, comments: [], translations: [] },
      address: site === undefined ? undefined : `${site}/${textOf(row.slug)}/`,
      metadata: { imported_from: 'ghost' },
      typed: {},
      notes:
        html === '' && textOf(row.lexical) + textOf(row.mobiledoc) !== '' ? ['only its plain text is in the file'] : [],
    },
  }
}

/** What members have not paid for is for nobody until somebody says so. */
const visibilityOf = (value: unknown): FoundPost['visibility'] =>
  value === undefined || value === 'public' ? 'public' : value === 'members' ? 'auth' : 'private'
