import type { Context } from '../../../../context.ts'
import type { ShownPost } from '../../schemas.ts'
import { termPath } from './links.ts'

export interface Byline {
  name: string
  path: string
  portrait: { address: string | undefined; letter: string }
}

/** Uses the same names as the feeds: the display name, or the first and last name, but never the login name. */
export const authorName = (author: { name: string; last_name?: string; display_name: string | null }): string =>
  author.display_name || [author.name, author.last_name].filter((part) => part).join(' ')

export function bylineOf(config: Context['config'], author: ShownPost['author']): Byline | undefined {
  const name = author ? authorName(author) : ''
  if (!author || name === '') return undefined
  return { name, path: termPath('author', author.id), portrait: authorPortrait(config, author.picture, name) }
}

/** Pictures from other hosts are not shown, because loading them would reveal the reader to those hosts. */
export function authorPortrait({ PUBLIC_URL }: Context['config'], picture: string | null, name: string) {
  const isOwn = picture?.startsWith(`${PUBLIC_URL}/auth/pictures/`)
  const [letter = ''] = name
  return { address: isOwn ? picture?.slice(PUBLIC_URL.length) : undefined, letter: letter.toUpperCase() }
}
