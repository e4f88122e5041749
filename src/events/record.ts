import type { Context } from '../context.ts'
import { newId } from '../lib/ids.ts'
import { insertServiceEvents } from './queries.ts'
import type { ServiceEvent } from './types.ts'

/** Call this in the transaction of the change, so that the event exists if and only if the change does. */
export async function recordEvents(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  events: readonly ServiceEvent[],
): Promise<void> {
  if (events.length === 0) return
  const occurred_at = clock.date()
  await insertServiceEvents(
    db,
    events.map(({ type, data }) => ({
      id: newId(),
      type,
      occurred_at,
      user_id: 'user_id' in data ? data.user_id : null,
      data,
    })),
  )
}
