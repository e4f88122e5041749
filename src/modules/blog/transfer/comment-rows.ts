import type { CommentRow, insertComment } from '../comments/queries.ts'
import { placeUnder } from '../comments/rules.ts'
import type { FoundComment } from './import-source.ts'
import { type ImportNote, note } from './notes.ts'
import { shortened, withoutMarkup } from './plain-text.ts'
import { stableId } from './stable-id.ts'

type NewComment = Parameters<typeof insertComment>[1] & Pick<CommentRow, 'parent_id' | 'depth'>

const maxComment = 5000

interface CommentContext {
  postId: string
  userIdOf: (email: string | undefined) => string | null
  now: Date
  notes: ImportNote[]
}

/** Parents come before their replies. If comments in the file form a cycle, one of them moves to the top level. */
export function commentRows(found: readonly FoundComment[], surroundings: CommentContext): NewComment[] {
  const input = new Map(found.flatMap((comment) => (comment.key === '' ? [] : [[comment.key, comment]])))
  const rows = new Map<string, NewComment | undefined>()
  for (const comment of input.values()) {
    for (const one of withAncestors(comment, input, rows)) {
      const parent = one.parentKey === undefined ? undefined : rows.get(one.parentKey)
      rows.set(one.key, rowOf(one, parent, surroundings))
    }
  }
  const unidentified = found.length - input.size
  if (unidentified > 0)
    surroundings.notes.push(note('comments without an id of their own are omitted', `${unidentified}`))
  surroundings.notes.push(...notesOf(input, rows))
  return [...rows.values()].filter((row) => row !== undefined)
}

function notesOf(
  input: ReadonlyMap<string, FoundComment>,
  rows: ReadonlyMap<string, NewComment | undefined>,
): ImportNote[] {
  const counts = new Map<string, number>()
  const count = (what: string, is: boolean) => is && counts.set(what, (counts.get(what) ?? 0) + 1)
  for (const [key, { text, isHtml, parentKey, createdAt }] of input) {
    const row = rows.get(key)
    count('empty comments are omitted', !row)
    if (!row) continue
    count(
      `comments are shortened to ${maxComment} characters`,
      [...(isHtml ? withoutMarkup(text) : text).trim()].length > maxComment,
    )
    count('HTML is removed from comments', isHtml && /<\/?[a-z!]/i.test(text))
    count('comments have no author with an account', row.user_id === null)
    count('comments have no date, so the date of the import is used', !createdAt)
    count(
      'replies are attached to another comment or to none',
      parentKey !== undefined && row.parent_id !== stableId(parentKey),
    )
  }
  return [...counts].map(([what, times]) => note(what, `${times}`))
}

function withAncestors(
  comment: FoundComment,
  input: ReadonlyMap<string, FoundComment>,
  rows: ReadonlyMap<string, unknown>,
): FoundComment[] {
  const chain = new Set<FoundComment>()
  let next: FoundComment | undefined = comment
  while (next && !rows.has(next.key) && !chain.has(next)) {
    chain.add(next)
    next = next.parentKey === undefined ? undefined : input.get(next.parentKey)
  }
  return [...chain].reverse()
}

function rowOf(
  { key, text, isHtml, email, status, createdAt }: FoundComment,
  parent: NewComment | undefined,
  { postId, userIdOf, now }: CommentContext,
): NewComment | undefined {
  const comment_body = shortened(isHtml ? withoutMarkup(text) : text, maxComment)
  if (comment_body === '') return undefined
  const at = createdAt ?? now
  const place = placeUnder(parent && { id: parent.id, parent_id: parent.parent_id, depth: parent.depth })
  const said = { comment_body, status, user_id: userIdOf(email), created_at: at, updated_at: at }
  return { ...place, ...said, id: stableId(key), post_id: postId }
}
