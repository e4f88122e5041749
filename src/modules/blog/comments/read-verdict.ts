import { invalidField } from '../../../lib/errors.ts'
import { readExpected, textField } from '../read-members.ts'
import type { Moderation } from './change-comment.ts'
import type { CommentRow } from './queries.ts'

type Status = CommentRow['status']

const outcomes = { approve: 'approved', reject: 'rejected', spam: 'spam', pending: 'pending' } as const

interface ModerationFields {
  action?: keyof typeof outcomes
  status?: Status
  reason?: string
  expected_updated_at?: string
}

export function parseModeration({ action, status, reason, expected_updated_at }: ModerationFields): Moderation {
  const meant = action === undefined ? status : outcomes[action]
  if (meant === undefined) throw invalidField('action', 'is required unless status is given')
  if (status !== undefined && status !== meant) throw invalidField('status', 'contradicts action')
  return {
    status: meant,
    reason: reason === undefined ? undefined : textField('reason', reason, 500),
    expected: readExpected(expected_updated_at),
  }
}
