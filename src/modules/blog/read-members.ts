import type { Config } from '../../config/load.ts'
import { plainText, webAddress } from '../../lib/client-text.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import type { ExpectedVersion } from '../../lib/expected-version.ts'
import { looksLikeId } from '../../lib/ids.ts'
import { canonicalLanguage, isPostLanguage } from '../../lib/locale.ts'
import { readAll, readPresent, type TryRead } from '../../lib/read-all.ts'
import { parseTime } from '../../lib/time.ts'
import { freeObjectField } from '../../users/fields.ts'
import type { CreatePostBody } from './post-schemas.ts'
import type { PostType, TypedPost } from './post-type-provider.ts'
import type { PostRow } from './queries.ts'
import { isSlug } from './slugs.ts'
import { isPublishedOrScheduled } from './states.ts'
import { type TypedMembers, typeViolations } from './type-rules.ts'

export type PostBodyInput = Partial<CreatePostBody>

/** The post members that a request sets, in canonical form. Omitted members are undefined. */
export interface PostMembers {
  title?: string | undefined
  slug?: string | undefined
  body?: string | null | undefined
  /** Whether the body was sent as a JSON value instead of a string. */
  bodyIsValue?: boolean | undefined
  body_format?: PostRow['body_format'] | undefined
  excerpt?: string | null | undefined
  featured_image?: string | null | undefined
  status?: PostRow['status'] | undefined
  visibility?: PostRow['visibility'] | undefined
  password?: string | undefined
  category_ids?: string[] | undefined
  tag_ids?: string[] | undefined
  comments_enabled?: boolean | undefined
  reactions_enabled?: boolean | undefined
  scheduled_at?: Date | undefined
  metadata?: Record<string, unknown> | undefined
  lang?: string | undefined
  post_type?: string | undefined
}

/** Maximum lengths, in characters for text and in items for lists. Bodies are also limited in bytes. */
export const maxLengths = { title: 255, excerpt: 1000, body: 1024 * 1024, categories: 20, tags: 50 }
const passwordLength = { min: 4, max: 128 }

export const readMembers = (input: PostBodyInput, now: number): PostMembers =>
  readPresent((read) => ({
    title: read(input.title, titleField),
    slug: read(input.slug || undefined, slugField),
    body: read(input.body, (body) => bodyField(body)),
    bodyIsValue: typeof input.body === 'object' || undefined,
    body_format: input.body_format,
    excerpt: read(input.excerpt, excerptField),
    featured_image: read(input.featured_image, (text) => (text === '' ? null : webAddress('featured_image', text))),
    status: input.status,
    visibility: input.visibility,
    password: read(input.password, passwordField),
    category_ids: read(input.category_ids, (ids) => idList('category_ids', ids, maxLengths.categories)),
    tag_ids: read(input.tag_ids, (ids) => idList('tag_ids', ids, maxLengths.tags)),
    comments_enabled: input.comments_enabled,
    reactions_enabled: input.reactions_enabled,
    scheduled_at: read(input.scheduled_at || undefined, (text) => futureTime('scheduled_at', text, now)),
    metadata: input.metadata === null ? {} : read(input.metadata, (value) => freeObjectField('metadata', value)),
    lang: read(input.lang || undefined, (text) => postLanguageField('lang', text)),
    post_type: input.post_type || undefined,
  }))

/** Reads the members whose rules depend on the post's type. Call this after the type has been determined. */
export const readTyped = (input: PostBodyInput, type: PostType): TypedMembers =>
  readAll((attempt) => readTypedWith(attempt, input, type))

function readTypedWith(attempt: TryRead, { fields, seo, body_format, visibility }: PostBodyInput, type: PostType) {
  for (const { field, message } of typeViolations(type, { body_format, visibility }))
    attempt(() => reject(field, message))
  return {
    fields: fields && attempt(() => type.readFields(fields)),
    seo: seo && attempt(() => type.readSeo(seo)),
  }
}

function reject(field: string, message: string): never {
  throw invalidField(field, message)
}

export const defaultLang = ({
  BLOG_DEFAULT_LANG,
  DEFAULT_LANG,
}: Pick<Config, 'BLOG_DEFAULT_LANG' | 'DEFAULT_LANG'>): string => BLOG_DEFAULT_LANG ?? DEFAULT_LANG

export const titleField = (text: string): string => filledField('title', text, maxLengths.title)

export function filledField(field: string, text: string, max: number): string {
  const normal = textField(field, text, max)
  return normal === '' ? reject(field, 'must not be empty') : normal
}

export const excerptField = (text: string): string | null => cleared(textField('excerpt', text, maxLengths.excerpt))

const cleared = (text: string): string | null => (text === '' ? null : text)

export const textField = (field: string, text: string, max: number): string => plainText(field, text.trim(), max)

export function bodyField(body: string | Record<string, unknown>): string | null {
  const text = plainText('body', typeof body === 'string' ? body : JSON.stringify(body), maxLengths.body)
  if (Buffer.byteLength(text) > maxLengths.body)
    throw invalidField('body', `must have at most ${maxLengths.body} bytes`)
  return cleared(text)
}

export function slugField(text: string): string {
  if (isSlug(text)) return text
  throw invalidField('slug', 'must be at most 200 characters of a-z, 0-9 and single hyphens, and not a reserved word')
}

export function passwordField(text: string): string {
  const password = text.normalize('NFC')
  const { min, max } = passwordLength
  const length = [...password].length
  if (length < min || length > max) throw invalidField('password', `must have ${min} to ${max} characters`)
  return password
}

function idList(field: string, ids: string[], max: number): string[] {
  if (ids.length > max) throw invalidField(field, `must have at most ${max} entries`)
  if (!ids.every(looksLikeId)) throw invalidField(field, 'must be a list of ids')
  return [...new Set(ids)]
}

export function zonedTimeField(field: string, text: string): Date {
  const time = text.includes('T') ? parseTime(text) : undefined
  return time === undefined
    ? reject(field, 'must be a time with its zone, such as 2030-01-31T09:00:00Z')
    : new Date(time)
}

export function futureTime(field: string, text: string, now: number): Date {
  const time = zonedTimeField(field, text)
  return time.getTime() > now ? time : reject(field, 'must be in the future')
}

export function termField(field: string, text: string): string {
  return looksLikeId(text) || isSlug(text) ? text : reject(field, 'must be an id or a slug')
}

export function postLanguageField(field: string, text: string): string {
  const tag = isPostLanguage(text) ? canonicalLanguage(text) : undefined
  return tag ?? reject(field, 'must be a language tag such as en or es-MX')
}

type RelatedMembers = Pick<
  PostRow,
  'status' | 'visibility' | 'password_hash' | 'body' | 'body_format' | 'scheduled_at'
> &
  TypedPost

export function assertTogether(post: RelatedMembers, type: PostType, input: PostMembers = {}): void {
  const problems = [
    post.visibility === 'password' && !post.password_hash && input.password === undefined
      ? { field: 'password', message: 'is required when visibility is password' }
      : [],
    post.visibility !== 'password' && input.password !== undefined
      ? { field: 'password', message: 'is only allowed with visibility password' }
      : [],
    post.status === 'scheduled' && !post.scheduled_at
      ? { field: 'scheduled_at', message: 'is required when status is scheduled' }
      : [],
    isPublishedOrScheduled(post.status) && post.body === null
      ? { field: 'body', message: 'is required to publish or schedule a post' }
      : [],
    post.status === 'draft' ? [] : type.missingFields(post),
    post.body_format !== 'json' && input.bodyIsValue ? { field: 'body', message: mustBeText } : [],
    post.body_format === 'json' && !isJson(post.body) ? { field: 'body', message: 'must be valid JSON' } : [],
  ].flat()
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { details: problems })
}

export const mustBeText = 'must be a string unless body_format is json'

export function isJson(body: string | null): boolean {
  if (body === null) return true
  try {
    JSON.parse(body)
    return true
  } catch {
    return false
  }
}

/** Reads `expected_updated_at`, which is the `updated_at` value of the version that the client read. */
export function readExpected(text: string | null | undefined): ExpectedVersion {
  if (text === null) return null
  return text === undefined ? undefined : zonedTimeField('expected_updated_at', text)
}
