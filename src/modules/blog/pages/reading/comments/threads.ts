import type { ShownComment } from '../../../comments/schemas.ts'

export interface PlacedComment {
  comment: ShownComment
  /** 0 for comments on the post itself. */
  depth: number
}

/** If a reply's parent is on another page, the reply is at the top level. */
export function inThreads(comments: readonly ShownComment[]): PlacedComment[] {
  const known = new Set(comments.map(({ id }) => id))
  const replies = new Map<string | null, ShownComment[]>()
  for (const comment of comments) {
    const parent = comment.parent_id !== null && known.has(comment.parent_id) ? comment.parent_id : null
    replies.set(parent, [...(replies.get(parent) ?? []), comment])
  }
  const below = (parent: string | null, depth: number): PlacedComment[] =>
    (replies.get(parent) ?? []).flatMap((comment) => [{ comment, depth }, ...below(comment.id, depth + 1)])
  return below(null, 0)
}
