import { invalidField } from '../../../lib/errors.ts'
import type { ExpectedVersion } from '../../../lib/expected-version.ts'
import { readAll, readPresent } from '../../../lib/read-all.ts'
import type { PostRow } from '../queries.ts'
import {
  bodyField,
  excerptField,
  isJson,
  mustBeText,
  postLanguageField,
  readExpected,
  slugField,
  titleField,
} from '../read-members.ts'

export interface TranslationInput {
  title?: string
  body?: string | Record<string, unknown>
  excerpt?: string
  slug?: string
  /** Null if the client expects the post to have no translation into the language. */
  expected_updated_at?: string | null
}

export interface TranslationMembers {
  title: string | undefined
  body: string | null | undefined
  bodyIsValue: boolean
  excerpt: string | null | undefined
  slug: string | undefined
  expected: ExpectedVersion
}

export const readTranslation = (input: TranslationInput): TranslationMembers =>
  readPresent((read) => ({
    title: read(input.title, titleField),
    body: read(input.body, bodyField),
    bodyIsValue: typeof input.body === 'object',
    excerpt: read(input.excerpt, excerptField),
    slug: read(input.slug || undefined, slugField),
    expected: read(input.expected_updated_at, readExpected),
  }))

export const readNewTranslation = ({ lang, ...input }: TranslationInput & { lang: string }) =>
  readAll((attempt) => ({
    lang: attempt(() => postLanguageField('lang', lang)) ?? '',
    members: attempt(() => readTranslation(input)) as TranslationMembers,
  }))

/** A translation must have the same format as its post. */
export function assertFormat(
  { body, bodyIsValue }: { body: string | null | undefined; bodyIsValue?: boolean },
  format: PostRow['body_format'],
): void {
  if (format !== 'json' && bodyIsValue) throw invalidField('body', mustBeText)
  if (format === 'json' && body !== undefined && !isJson(body)) throw invalidField('body', 'must be valid JSON')
}
