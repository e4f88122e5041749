import { isAdmin } from '../../../users/is-admin.ts'
import type { PostRow } from '../queries.ts'
import type { Reader } from '../readers.ts'

type Visibility = PostRow['visibility']

/**
 * One of the disjoint parts of what a list holds. Each walks along an index of its own, so that what somebody may not
 * read costs nothing, however much of it there is.
 */
export interface PostListPart {
  state: 'live' | 'any' | 'draft' | 'pending' | 'scheduled' | 'deleted'
  /** Undefined: every one. */
  visibility: Visibility | undefined
  /** Only what this user owns. */
  owner: string | undefined
  /** Needs a password from everybody but its owner: of what it says, only the title may be found, unless the reader is that. */
  locked: { reader: string | undefined } | undefined
  /** Written in the language that is asked for, or only translated into it. Without such a wish all are as written. */
  language: 'written' | 'translated'
}

export interface PostListInput {
  status: PostRow['status'] | undefined
  mine: boolean
  visibility: Visibility | undefined
  includeDeleted: boolean
}

/** Whoever wants drafts, or what else is no one's business, gets their own; administrators get everybody's. */
export function partsFor(reader: Reader, wish: PostListInput): PostListPart[] {
  const { status = 'published', mine, includeDeleted } = wish
  const owner = reader && (mine || !isAdmin(reader)) ? reader.id : undefined
  const wanted = { visibility: wish.visibility, owner, locked: undefined, language: 'written' as const }
  const isPrivate = mine || status !== 'published'
  const parts: PostListPart[] = isPrivate
    ? [{ ...wanted, state: stateOf(wish) }]
    : livePartsFor(reader).filter(({ visibility }) => !wish.visibility || visibility === wish.visibility)
  return includeDeleted ? [...parts, { ...wanted, state: 'deleted' }] : parts
}

/** Whoever asks for a language also gets what is translated into it. */
export const withTranslations = (parts: PostListPart[]): PostListPart[] =>
  parts.flatMap((part) => [part, { ...part, language: 'translated' as const }])

function stateOf({ status, mine }: PostListInput): PostListPart['state'] {
  if (status === 'published') return 'live'
  return status ?? (mine ? 'any' : 'live')
}

function livePartsFor(reader: Reader): PostListPart[] {
  const part = (visibility: Visibility, more: Partial<PostListPart> = {}): PostListPart => ({
    state: 'live',
    visibility,
    owner: undefined,
    locked: undefined,
    language: 'written',
    ...more,
  })
  if (isAdmin(reader)) return [part('public'), part('auth'), part('password'), part('private')]
  const open = [part('public'), part('password', { locked: { reader: reader?.id } })]
  return reader ? [...open, part('auth'), part('private', { owner: reader.id })] : open
}
