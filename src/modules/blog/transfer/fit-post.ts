import { webAddress } from '../../../lib/client-text.ts'
import { AppError } from '../../../lib/errors.ts'
import { canonicalLanguage, isPostLanguage } from '../../../lib/locale.ts'
import { iso } from '../../../lib/time.ts'
import { freeObjectField } from '../../../users/fields.ts'
import type { PostType, PostTypeRules } from '../post-type-provider.ts'
import type { PostRow } from '../queries.ts'
import { assertTogether, bodyField, maxLengths, passwordField } from '../read-members.ts'
import { isSlug, slugOf } from '../slugs.ts'
import { isPublishedOrScheduled } from '../states.ts'
import { type TypedMembers, typeViolations } from '../type-rules.ts'
import { fitBody, fitText, fitTitle } from './fit-text.ts'
import type { FoundPost } from './import-source.ts'
import { type ImportNote, note } from './notes.ts'
import { stableId } from './stable-id.ts'

export interface FittedPost {
  row: PostRow
  type: PostType
  typed: TypedMembers
  password: string | undefined
  notes: ImportNote[]
}

interface FitContext {
  types: PostTypeRules
  lang: string
  now: Date
}

/** Throws VALIDATION_ERROR if the post cannot be imported. */
export function fitPost({ types, lang: fallback, now }: FitContext, found: FoundPost): FittedPost {
  const notes = [...found.notes]
  const { type, typed } = typeOf(types, found)
  const title = fitTitle(found.title, maxLengths.title, notes)
  const input = fitBody(found.body, notes)
  const body = input === null ? null : bodyField(input)
  const password = passwordOf(found, notes)
  const lang = languageOf(found, notes) ?? fallback
  const features = featuresOf(found, type, notes)
  if (!found.createdAt) notes.push(note('it has no date, so the date of the import is used'))
  const row: PostRow = {
    id: stableId(found.key),
    user_id: null,
    lang,
    title,
    slug: slugFor(found.slug, title, lang),
    body,
    body_format: found.bodyFormat,
    ...{ body_html: null, body_start: '' },
    excerpt: found.excerpt === null ? null : fitText('excerpt', found.excerpt, maxLengths.excerpt, notes) || null,
    featured_image: imageOf(found, notes),
    featured_image_key: null,
    ...stateOf(found, body, now, notes),
    visibility: found.visibility === 'password' && password === undefined ? 'private' : found.visibility,
    password_hash: null,
    ...features,
    metadata: attempt(() => freeObjectField('metadata', found.metadata), notes, largeMetadata) ?? {},
    ...{ deleted_at: null, deleted_by: null },
    created_at: found.createdAt ?? now,
    updated_at: found.updatedAt ?? found.createdAt ?? now,
    ...type.columnsOf({}, typed),
  }
  const [misfit] = typeViolations(type, row)
  if (misfit) throw unfit(`${misfit.field} ${misfit.message}`)
  assertTogether({ ...row, password_hash: password ?? null }, type, {})
  return { row, type, typed, password, notes }
}

function typeOf(types: PostTypeRules, { typed: { post_type: name = 'post', fields, seo } }: FoundPost) {
  const type = types.find(name)
  if (!type?.isOffered) throw unfit(`the post type ${name} does not exist`)
  const typed: TypedMembers = { fields: fields && type.readFields(fields), seo: seo && type.readSeo(seo) }
  return { type, typed }
}

function passwordOf({ password, visibility }: FoundPost, notes: ImportNote[]): string | undefined {
  if (password === undefined) return undefined
  const valid = attempt(() => passwordField(password), notes, invalidPassword)
  if (visibility !== 'password') notes.push(note('it is private, so its password is removed'))
  return valid
}

function languageOf({ lang }: FoundPost, notes: ImportNote[]): string | undefined {
  const own = importLanguageOf(lang)
  if (lang !== undefined && own === undefined)
    notes.push(note('its language is not a language tag, so the language of the import is used', lang))
  return own
}

function featuresOf({ commentsEnabled, reactionsEnabled }: FoundPost, { features }: PostType, notes: ImportNote[]) {
  if (commentsEnabled && !features.comments) notes.push(note('its type does not allow comments'))
  if (reactionsEnabled && !features.reactions) notes.push(note('its type does not allow reactions'))
  return {
    comments_enabled: commentsEnabled && features.comments,
    reactions_enabled: reactionsEnabled && features.reactions,
  }
}

const imageOf = ({ featuredImage: url }: FoundPost, notes: ImportNote[]): string | null =>
  (url !== undefined && attempt(() => webAddress('featured_image', url), notes, note(invalidImage, url))) || null

/** Returns undefined and adds the note if the value is invalid. */
function attempt<Value>(read: () => Value, notes: ImportNote[], otherwise: ImportNote): Value | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    notes.push(otherwise)
    return undefined
  }
}

const invalidPassword = note('its password is not valid: it is private until you set a new one')
const invalidImage = 'its featured image has no http or https URL and is omitted'
const largeMetadata = note('its metadata is too large and is omitted')

const unfit = (message: string) => new AppError('VALIDATION_ERROR', { details: [{ field: '', message }] })

export const importLanguageOf = (text: string | undefined): string | undefined => {
  const tag = text?.replaceAll('_', '-').replace(/^[A-Za-z]+/, (letters) => letters.toLowerCase())
  return tag !== undefined && isPostLanguage(tag) ? canonicalLanguage(tag) : undefined
}

/** Keeps a valid slug. */
export function slugFor(input: string, title: string, lang: string): string {
  if (isSlug(input)) return input
  const readable = decodedSlug(input)
  return slugOf(readable === '' ? title : readable, lang)
}

/** WordPress percent-encodes non-ASCII characters. */
export function decodedSlug(slug: string): string {
  try {
    return decodeURIComponent(slug).normalize('NFC')
  } catch {
    return ''
  }
}

/** Keeps the state where possible. A due post is published, and a post without a body becomes a draft. */
function stateOf(
  { status, publishedAt, scheduledAt, createdAt }: FoundPost,
  body: string | null,
  now: Date,
  notes: ImportNote[],
): Pick<PostRow, 'status' | 'published_at' | 'scheduled_at'> {
  if (isPublishedOrScheduled(status) && body === null) {
    notes.push(note('it has no body: it is imported as a draft'))
    return { status: 'draft', published_at: publishedAt ?? null, scheduled_at: null }
  }
  if (status === 'scheduled' && !scheduledAt) {
    notes.push(note('its scheduled time is unknown: it is imported as a draft'))
    return { status: 'draft', published_at: publishedAt ?? null, scheduled_at: null }
  }
  if (status === 'scheduled' && scheduledAt && scheduledAt > now)
    return { status, published_at: publishedAt ?? null, scheduled_at: scheduledAt }
  if (isPublishedOrScheduled(status)) {
    const at = publishedAt ?? scheduledAt ?? createdAt ?? now
    if (status === 'scheduled') notes.push(note('its scheduled time has passed: it is published', iso(at)))
    if (at > now) notes.push(note('its publication time is in the future: it is published now', iso(at)))
    return { status: 'published', published_at: at > now ? now : at, scheduled_at: null }
  }
  return { status, published_at: publishedAt ?? null, scheduled_at: null }
}
