import type { FoundComment, FoundName, FoundPost, FoundTerm, FoundTranslation, ImportFinding } from './import-source.ts'
import { type ImportNote, listed, note, unreadable } from './notes.ts'
import { isObject, listValue, objectValue, textValue, timeValue, unknownMembersOf, wordValue } from './read-value.ts'

export const exportFormat = 'wardenry-blog'
export const exportVersion = 1

type Row = Record<string, unknown>

const words = {
  body_format: ['markdown', 'html', 'text', 'json'],
  status: ['published', 'scheduled', 'pending', 'draft'],
  visibility: ['public', 'auth', 'private'],
} as const

export function findingOfExport(row: unknown): ImportFinding {
  if (!isObject(row)) return { skipped: 'it is not an object', title: '' }
  const title = textValue(row.title)
  if (textValue(row.id) === '') return { skipped: 'it has no id', title }
  const hadPassword = row.visibility === 'password'
  const post: FoundPost = {
    key: textValue(row.id),
    ...{ title, slug: textValue(row.slug), body: bodyOf(row) || null, excerpt: textValue(row.excerpt) || null },
    bodyFormat: wordValue(row.body_format, words.body_format, 'markdown'),
    status: wordValue(row.status, words.status, 'draft'),
    visibility: hadPassword ? 'private' : wordValue(row.visibility, words.visibility, 'private'),
    password: undefined,
    lang: textValue(row.lang) || undefined,
    email: textValue(row.author_email) || undefined,
    featuredImage: textValue(row.featured_image) || undefined,
    createdAt: timeValue(row.created_at),
    updatedAt: timeValue(row.updated_at),
    publishedAt: timeValue(row.published_at),
    scheduledAt: timeValue(row.scheduled_at),
    categories: listValue(row.categories).map((term) => termOf(term)),
    tags: listValue(row.tags).map((term) => termOf(term)),
    commentsEnabled: row.comments_enabled !== false,
    reactionsEnabled: row.reactions_enabled !== false,
    comments: listValue(row.comments).map(commentOf),
    translations: listValue(row.translations).map(translationOf),
    formerSlugs: listValue(row.former_slugs).map(formerSlugOf),
    address: undefined,
    metadata: objectValue(row.metadata),
    typed: typedOf(row),
    notes: [
      ...(hadPassword ? [note('exports contain no passwords: it is private until you set a new one')] : []),
      ...unknownWords(row),
      ...unknownMembers(row),
      ...unreadable({
        created_at: [row.created_at, timeValue(row.created_at)],
        updated_at: [row.updated_at, timeValue(row.updated_at)],
        published_at: [row.published_at, timeValue(row.published_at)],
        scheduled_at: [row.scheduled_at, timeValue(row.scheduled_at)],
      }),
    ],
  }
  return { post }
}

/** The API also accepts a JSON body that is not text. */
const bodyOf = ({ body, body_format }: Row): string =>
  body_format === 'json' && typeof body === 'object' && body !== null ? JSON.stringify(body) : textValue(body)

const knownMembers: ReadonlySet<string> = new Set([
  ...['id', 'lang', 'title', 'slug', 'author_email', 'body', 'body_format', 'excerpt', 'featured_image', 'status'],
  ...['visibility', 'metadata', 'comments_enabled', 'reactions_enabled', 'scheduled_at', 'published_at', 'created_at'],
  ...['updated_at', 'categories', 'tags', 'former_slugs', 'comments', 'translations', 'post_type', 'fields', 'seo'],
])

function unknownMembers(row: Row): ImportNote[] {
  const others = unknownMembersOf(row, knownMembers)
  const hasOtherBody = row.body !== null && row.body !== undefined && row.body !== '' && bodyOf(row) === ''
  return [
    ...(others.length > 0 ? [note('it has members that are not supported', listed(others))] : []),
    ...(hasOtherBody ? [note('its body is in a form that cannot be read, and is omitted')] : []),
  ]
}

/** Reports unknown formats, states and visibilities, for which the import uses the safest value. */
const unknownWords = (row: Row): ImportNote[] =>
  Object.entries(words)
    .filter(([name, known]) => !(known as readonly unknown[]).includes(row[name]))
    .filter(([name]) => !(name === 'visibility' && row.visibility === 'password'))
    .map(([name]) => note(`its ${name} is unknown, so the safest one is used`, JSON.stringify(row[name])))

export function termOf(row: Row, level = 1): FoundTerm {
  const parent = level < 8 && isObject(row.parent) ? termOf(row.parent, level + 1) : undefined
  return {
    ...{ name: textValue(row.name), slug: textValue(row.slug), description: textValue(row.description), parent },
    ...(typeof row.lang === 'string' && { lang: row.lang }),
    ...(Number.isInteger(row.sort_order) && { sortOrder: row.sort_order as number }),
  }
}

const formerSlugOf = ({ lang, slug }: Row): FoundName => ({ lang: textValue(lang) || undefined, slug: textValue(slug) })

const commentOf = (row: Row): FoundComment => ({
  key: textValue(row.id),
  parentKey: textValue(row.parent_id) || undefined,
  email: textValue(row.author_email) || undefined,
  ...{ text: textValue(row.comment_body), isHtml: false, createdAt: timeValue(row.created_at) },
  status: wordValue(row.status, ['approved', 'pending', 'rejected', 'spam'], 'pending'),
})

const translationOf = (row: Row): FoundTranslation => ({
  ...{ lang: textValue(row.lang), title: textValue(row.title), slug: textValue(row.slug) },
  ...{ body: textValue(row.body) || null, excerpt: textValue(row.excerpt) || null },
  email: textValue(row.author_email) || undefined,
})

/** Omits empty values because even an empty value requires the module that defines the member. */
const typedOf = ({ post_type, fields, seo }: Row): FoundPost['typed'] => ({
  ...(typeof post_type === 'string' && { post_type }),
  ...(isFilled(fields) && { fields }),
  ...filledSeo(objectValue(seo)),
})

const isFilled = (value: unknown): value is Row => isObject(value) && Object.keys(value).length > 0

function filledSeo(input: Row): { seo?: Row } {
  const seo = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null && value !== false))
  return isFilled(seo) ? { seo } : {}
}
