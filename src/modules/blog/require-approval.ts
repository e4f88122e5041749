import { recordEvents } from '../../events/record.ts'
import type { LockedPost } from './change-post.ts'
import { moveEvents } from './events.ts'
import { endPreviewLinksIfWithdrawn } from './preview-links/change-links.ts'
import { updatePost } from './queries.ts'
import { stateAfterEdit } from './states.ts'

/** Call this after each change of a post's content outside `updatePostOf`. */
export async function requireApprovalAgain({
  tx,
  user,
  post,
  type,
  now,
}: Pick<LockedPost, 'tx' | 'user' | 'post' | 'type' | 'now'>): Promise<void> {
  const { status, published_at, scheduled_at } = stateAfterEdit(tx.config, type, user, post)
  if (status === post.status) return
  const after = { status, published_at, scheduled_at }
  await endPreviewLinksIfWithdrawn(tx, post, after)
  await updatePost(tx.db, post.id, { ...after, updated_at: now })
  await recordEvents(tx, moveEvents(post, { ...post, ...after }))
}
