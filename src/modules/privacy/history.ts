import type { Context } from '../../context.ts'
import type { Db } from '../../db/tables.ts'
import type { RequestDevice } from '../../http/access/device.ts'
import { keyedHashBytes } from '../../lib/hash.ts'
import { newId } from '../../lib/ids.ts'
import { pageOf, paginationOf } from '../../lib/paging.ts'
import { iso } from '../../lib/time.ts'
import { countPrivacyEventsOf, findPrivacyEventsOf, insertEvent } from './queries.ts'
import type { PrivacyEvent, PrivacyEventSource } from './rows.ts'
import type { StatusChange } from './status.ts'

interface Entry extends Partial<Pick<StatusChange, 'old_value' | 'new_value' | 'version'>> {
  userId: string
  event: PrivacyEvent
  source: PrivacyEventSource
  /** Undefined for actions by the service. */
  device: RequestDevice | undefined
}

/** Adds an event to the history. If the event records a change, pass the change's transaction. */
export async function recordPrivacyEvent(ctx: Context, entry: Entry): Promise<void> {
  const { userId, event, source, device, old_value = null, new_value = null, version = null } = entry
  // An administrator's IP address is not evidence of the user's decision.
  const proof = source === 'self' ? device : undefined
  await insertEvent(ctx.db, {
    id: newId(),
    user_id: userId,
    subject_hash: keyedHashBytes(ctx.config.AUTH_SECRET, 'privacy-subject', userId),
    event,
    old_value,
    new_value,
    version,
    source,
    ip_address: proof?.address ?? null,
    user_agent: proof?.userAgent ?? null,
    created_at: ctx.clock.date(),
  })
}

export async function privacyHistory({ db }: Context, userId: string, query: { page?: number; limit?: number }) {
  const page = pageOf(query)
  const total = await countPrivacyEventsOf(db, userId)
  const events = total > page.offset ? (await findPrivacyEventsOf(db, userId, page)).map(shown) : []
  return { events, pagination: paginationOf(page, total) }
}

const maxEntries = 10_000

export const wholeHistory = async (db: Db, userId: string) =>
  (await findPrivacyEventsOf(db, userId, { limit: maxEntries, offset: 0 })).map(shown)

const shown = ({ created_at, ...event }: Awaited<ReturnType<typeof findPrivacyEventsOf>>[number]) => ({
  ...event,
  created_at: iso(created_at),
})

export interface PrivacyEventOrigin {
  actor: { id: string | null; user_type: string }
  source: PrivacyEventSource
  device: RequestDevice | undefined
}
