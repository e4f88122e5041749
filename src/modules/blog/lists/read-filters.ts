import { invalidField } from '../../../lib/errors.ts'
import { looksLikeId } from '../../../lib/ids.ts'
import { readPresent } from '../../../lib/read-all.ts'
import { postLanguageField, termField, textField, zonedTimeField } from '../read-members.ts'
import type { FiltersInput } from './schemas.ts'

export interface PostFilters {
  lang: string | undefined
  /** An id or a slug. */
  category: string | undefined
  tag: string | undefined
  author: string | undefined
  postType: string | undefined
  q: string | undefined
  after: Date | undefined
  before: Date | undefined
}

const maxSearchLength = 100

export const readFilters = (input: FiltersInput): PostFilters =>
  readPresent((read) => ({
    lang: read(input.lang, (text) => postLanguageField('lang', text)),
    category: read(input.category, (text) => termField('category', text)),
    tag: read(input.tag, (text) => termField('tag', text)),
    author: read(input.author, (text) => idField('author', text)),
    postType: input.post_type,
    q: read(input.q, searchField),
    after: read(input.published_after, (text) => zonedTimeField('published_after', text)),
    before: read(input.published_before, (text) => zonedTimeField('published_before', text)),
  }))

function idField(field: string, text: string): string {
  if (looksLikeId(text)) return text
  throw invalidField(field, 'must be an id')
}

export function searchField(text: string): string {
  const words = textField('q', text, maxSearchLength)
  if (words === '') throw invalidField('q', 'must not be empty')
  return words
}
