import { iso } from '../../lib/time.ts'
import type { DeletionRequest } from './deletion-queries.ts'

export const fileName = 'personal-data.json'

export const deletionResponse = (request: DeletionRequest | undefined) => ({
  success: true as const,
  data: {
    status: request?.status ?? ('none' as const),
    requested_at: request ? iso(request.requested_at) : null,
    scheduled_for: request ? iso(request.scheduled_for) : null,
  },
})

/** Returns null if no deletion is pending. */
export const pendingDeletion = (request: DeletionRequest | undefined) =>
  request?.status === 'pending'
    ? { requested_at: iso(request.requested_at), scheduled_for: iso(request.scheduled_for) }
    : null

export const exportResponse = (requestedAt: Date) => ({
  success: true as const,
  data: { status: 'pending' as const, requested_at: iso(requestedAt) },
})
