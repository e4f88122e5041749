import type { PageApi } from '../../../ui/shared/visit.ts'

interface RequestState {
  status: string
  scheduled_for: string | null
}

/** Returns the time of a pending deletion, which the user can still cancel. */
export async function pendingDeletionOf(ask: PageApi): Promise<string | undefined> {
  const answer = await ask<{ data: RequestState }>({ method: 'GET', path: '/auth/user/me/privacy/delete-request' })
  if (!answer.ok || answer.body.data.status !== 'pending') return undefined
  return answer.body.data.scheduled_for ?? undefined
}
