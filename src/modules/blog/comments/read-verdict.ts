import { invalidField } from '../../../lib/errors.ts'
import { textField } from '../read-members.ts'
import type { CommentRow } from './queries.ts'

type Status = CommentRow['status']

const outcomes = { approve: 'approved', reject: 'rejected', spam: 'spam', pending: 'pending' } as const

interface ModerationFields {
  action?: keyof typeof outcomes
  status?: Status
  reason?: string
}

export function parseModeration({ action, status, reason }: ModerationFields): {
  status: Status
  reason: string | undefined
} {
  const meant = action === undefined ? status : outcomes[action]
  if (meant === undefined) throw invalidField('action', 'is required unless status is given')
  if (status !== undefined && status !== meant) throw invalidField('status', 'contradicts action')
  return { status: meant, reason: reason === undefined ? undefined : textField('reason', reason, 500) }
}
