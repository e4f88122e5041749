import { invalidField } from '../../../lib/errors.ts'
import { looksLikeId } from '../../../lib/ids.ts'
import { readPresent } from '../../../lib/read-all.ts'
import type { PostTypeRules } from '../post-type-provider.ts'
import { postLanguageField, termField } from '../read-members.ts'
import { namedType } from '../type-rules.ts'
import type { FeedQuery } from './feed.ts'

interface RawFeedQuery {
  lang?: string
  category?: string
  tag?: string
  author?: string
  post_type?: string
  limit?: number
}

const maxEntries = 50

export const readFeedQuery = (
  types: PostTypeRules,
  { lang, category, tag, author, post_type, limit = 20 }: RawFeedQuery,
): FeedQuery =>
  readPresent((read) => ({
    lang: read(lang, (text) => postLanguageField('lang', text)),
    category: read(category, (text) => termField('category', text)),
    tag: read(tag, (text) => termField('tag', text)),
    author: read(author, (text) => {
      if (looksLikeId(text)) return text
      throw invalidField('author', 'must be the id of a user')
    }),
    postType: read(post_type, (text) => namedType(types, text).key),
    limit: Math.min(limit, maxEntries),
  }))
