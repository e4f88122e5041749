import type { Finding, FoundComment, FoundName, FoundPost, FoundTerm, FoundTranslation } from './found.ts'
import { type Note, note, unreadable } from './notes.ts'
import { isObject, listOf, objectOf, textOf, timeOf, wordOf } from './read-value.ts'

export const exportFormat = 'wardenry-blog'
export const exportVersion = 1

type Row = Record<string, unknown>

const words = {
  body_format: ['markdown', 'html', 'text', 'json'],
  status: ['published', 'scheduled', 'pending', 'draft'],
  visibility: ['public', 'auth', 'private'],
} as const

export function findingOfExport(row: unknown): Finding {
  if (!isObject(row)) return { skipped: 'it is not an object', title: '' }
  const title = textOf(row.title)
  if (textOf(row.id) === '') return { skipped: 'it has no id', title }
  const hadPassword = row.visibility === 'password'
  const post: FoundPost = {
    key: textOf(row.id),
    ...{ title, slug: textOf(row.slug), body: textOf(row.body) || null, excerpt: textOf(row.excerpt) || null },
    bodyFormat: wordOf(row.body_format, words.body_format, 'markdown'),
    status: wordOf(row.status, words.status, 'draft'),
    visibility: hadPassword ? 'private' : wordOf(row.visibility, words.visibility, 'private'),
    password: undefined,
    lang: textOf(row.lang) || undefined,
    email: textOf(row.author_email) || undefined,
    featuredImage: textOf(row.featured_image) || undefined,
    createdAt: timeOf(row.created_at),
    updatedAt: timeOf(row.updated_at),
    publishedAt: timeOf(row.published_at),
    scheduledAt: timeOf(row.scheduled_at),
    categories: listOf(row.categories).map((term) => termOf(term)),
    tags: listOf(row.tags).map((term) => termOf(term)),
    commentsEnabled: row.comments_enabled !== false,
    reactionsEnabled: row.reactions_enabled !== false,
    comments: listOf(row.comments).map(commentOf),
    translations: listOf(row.translations).map(translationOf),
    formerSlugs: listOf(row.former_slugs).map(formerSlugOf),
    address: undefined,
    metadata: objectOf(row.metadata),
    typed: typedOf(row),
    notes: [
      ...(hadPassword ? [note('exports contain no passwords: it is private until you set a new one')] : []),
      ...unknownWords(row),
      ...unreadable({
        created_at: [row.created_at, timeOf(row.created_at)],
        updated_at: [row.updated_at, timeOf(row.updated_at)],
        published_at: [row.published_at, timeOf(row.published_at)],
        scheduled_at: [row.scheduled_at, timeOf(row.scheduled_at)],
      }),
    ],
  }
  return { post }
}

/** Notes for unknown formats, states and visibilities. These are replaced by the most restrictive ones. */
const unknownWords = (row: Row): Note[] =>
  Object.entries(words)
    .filter(([name, known]) => !(known as readonly unknown[]).includes(row[name]))
    .filter(([name]) => !(name === 'visibility' && row.visibility === 'password'))
    .map(([name]) => note(`its ${name} is unknown, so the safest one is used`, JSON.stringify(row[name])))

export function termOf(row: Row, level = 1): FoundTerm {
  const parent = level < 8 && isObject(row.parent) ? termOf(row.parent, level + 1) : undefined
  return {
    ...{ name: textOf(row.name), slug: textOf(row.slug), description: textOf(row.description), parent },
    ...(typeof row.lang === 'string' && { lang: row.lang }),
    ...(Number.isInteger(row.sort_order) && { sortOrder: row.sort_order as number }),
  }
}

const formerSlugOf = ({ lang, slug }: Row): FoundName => ({ lang: textOf(lang) || undefined, slug: textOf(slug) })

const commentOf = (row: Row): FoundComment => ({
  key: textOf(row.id),
  parentKey: textOf(row.parent_id) || undefined,
  email: textOf(row.author_email) || undefined,
  ...{ text: textOf(row.comment_body), isHtml: false, createdAt: timeOf(row.created_at) },
  status: wordOf(row.status, ['approved', 'pending', 'rejected', 'spam'], 'pending'),
})

const translationOf = (row: Row): FoundTranslation => ({
  ...{ lang: textOf(row.lang), title: textOf(row.title), slug: textOf(row.slug) },
  ...{ body: textOf(row.body) || null, excerpt: textOf(row.excerpt) || null },
  email: textOf(row.author_email) || undefined,
})

/** Empty values are left out, because they would require a module that may not be installed. */
const typedOf = ({ post_type, fields, seo }: Row): FoundPost['typed'] => ({
  ...(typeof post_type === 'string' && { post_type }),
  ...(isFilled(fields) && { fields }),
  ...filledSeo(objectOf(seo)),
})

const isFilled = (value: unknown): value is Row => isObject(value) && Object.keys(value).length > 0

function filledSeo(given: Row): { seo?: Row } {
  const seo = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== false))
  return isFilled(seo) ? { seo } : {}
}
