import { call } from '../../../ui/shared/api-route.ts'
import type { PageApi } from '../../../ui/shared/visit.ts'
import { DeletionRoute } from '../deletion-schemas.ts'

/** Returns the time of a pending deletion, which the user can still cancel. */
export async function pendingDeletionOf(ask: PageApi): Promise<string | undefined> {
  const response = await ask(call(DeletionRoute))
  if (!response.ok || response.body.data.status !== 'pending') return undefined
  return response.body.data.scheduled_for ?? undefined
}
