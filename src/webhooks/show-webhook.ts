import type { Context } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { looksLikeId } from '../lib/ids.ts'
import { iso } from '../lib/time.ts'
import { openHeaders } from './headers.ts'
import { countDeliveries, findWebhook, findWebhooks, type WebhookCounts, type WebhookRow } from './queries.ts'

export async function listWebhooks(ctx: Context) {
  const counts = await countDeliveries(ctx.db)
  return (await findWebhooks(ctx.db)).map((row) => shownWebhook(ctx, row, counts.get(row.id)))
}

export async function getWebhook(ctx: Context, id: string) {
  const row = looksLikeId(id) ? await findWebhook(ctx.db, id) : undefined
  if (!row) throw new AppError('NOT_FOUND')
  return shownWebhook(ctx, row, (await countDeliveries(ctx.db, id)).get(id))
}

/** Contains neither secrets nor header values. */
const shownWebhook = ({ dataKeys }: Context, row: WebhookRow, counts: WebhookCounts | undefined) => ({
  id: row.id,
  url: row.url,
  description: row.description,
  events: row.events,
  enabled: row.is_enabled,
  disabled_reason: row.disabled_reason,
  headers: openHeaders(dataKeys, row.headers).map(({ name }) => name),
  has_former_secret: row.former_secret !== null,
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
  failing_since: row.failing_since && iso(row.failing_since),
  paused_until: row.paused_until && iso(row.paused_until),
  waiting: counts?.waiting ?? 0,
  failed: counts?.failed ?? 0,
})
