import { isAdmin } from '../../../http/access/is-admin.ts'
import type { PostReader } from '../access.ts'
import type { PostRow } from '../queries.ts'

type Visibility = PostRow['visibility']

/** Each partition of a list is read through its own index so that no time is spent on posts hidden from the reader. */
export interface ListPartition {
  state: 'live' | 'any' | 'draft' | 'pending' | 'scheduled' | 'deleted'
  /** Undefined means any visibility. */
  visibility: Visibility | undefined
  owner: string | undefined
  /** Set if the posts require a password. A search matches only their titles, unless `reader` owns the post. */
  locked: { reader: string | undefined } | undefined
  /** Whether the posts are written in the requested language or translated into it. `written` if none is requested. */
  language: 'written' | 'translated'
}

export interface PostListInput {
  status: PostRow['status'] | 'deleted' | undefined
  mine: boolean
  visibility: Visibility | undefined
  includeDeleted: boolean
}

/** Unpublished and private posts are listed only for their owner and for administrators. */
export function partsFor(reader: PostReader, requested: PostListInput): ListPartition[] {
  const { status = 'published', mine, includeDeleted } = requested
  const owner = reader && (mine || !isAdmin(reader)) ? reader.id : undefined
  const wanted = { visibility: requested.visibility, owner, locked: undefined, language: 'written' as const }
  const isPrivate = mine || status !== 'published'
  const parts: ListPartition[] = isPrivate
    ? [{ ...wanted, state: stateOf(requested) }]
    : livePartsFor(reader).filter(({ visibility }) => !requested.visibility || visibility === requested.visibility)
  return includeDeleted ? [...parts, { ...wanted, state: 'deleted' }] : parts
}

/** A list of posts in a language also contains posts translated into this language. */
export const withTranslations = (parts: ListPartition[]): ListPartition[] =>
  parts.flatMap((part) => [part, { ...part, language: 'translated' as const }])

function stateOf({ status, mine }: PostListInput): ListPartition['state'] {
  if (status === 'published') return 'live'
  return status ?? (mine ? 'any' : 'live')
}

function livePartsFor(reader: PostReader): ListPartition[] {
  const part = (visibility: Visibility, more: Partial<ListPartition> = {}): ListPartition => ({
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
