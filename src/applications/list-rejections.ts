import { findRejections, type RejectionRow } from '../audit/queries.ts'
import type { Context } from '../context.ts'
import { day, iso } from '../lib/time.ts'

export const maxRejections = 1_000

/** Rejections of the last 24 hours, newest first. With null, those that concern no stored application. */
export async function listRejections(ctx: Context, applicationId: string | null, limit = 100) {
  const since = new Date(ctx.clock.now() - day)
  const rows = await findRejections(ctx.db, { applicationId, since, limit: Math.min(limit, maxRejections) })
  return rows.map(shown)
}

/** Without the visitor's address, which is in the audit trail. */
const shown = ({ time, event, request_id, details: { reason = 'parameter', parameter, page } }: RejectionRow) => ({
  time: iso(time),
  step: event === 'handover_rejected' ? ('redeem' as const) : ('return' as const),
  reason,
  parameter: parameter ?? null,
  page: page ?? null,
  request_id,
})
