import { call } from '../../../ui/shared/api-route.ts'
import type { PageApi } from '../../../ui/shared/visit.ts'
import { DeletionRoute } from '../deletion-schemas.ts'

/** Returns the time of a pending deletion, which the user can still cancel. */
export async function pendingDeletionOf(ask: PageApi): Promise<string | undefined> {
  const answer = await ask(call(DeletionRoute))
  if (!answer.ok || answer.body.data.status !== 'pending') return undefined
  return answer.body.data.scheduled_for ?? undefined
}
