import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db, Tables } from '../db/tables.ts'

export type WebhookRow = Selectable<Tables['webhooks']>

export const findWebhooks = (db: Db): Promise<WebhookRow[]> =>
  db.selectFrom('webhooks').selectAll().orderBy('created_at').orderBy('id').execute()

export const findWebhook = (db: Db, id: string): Promise<WebhookRow | undefined> =>
  db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()

export const lockWebhook = (db: Db, id: string): Promise<WebhookRow | undefined> =>
  db.selectFrom('webhooks').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const insertWebhook = (db: Db, row: Insertable<Tables['webhooks']>) =>
  db.insertInto('webhooks').values(row).execute()

export const updateWebhook = (db: Db, id: string, changes: Updateable<Tables['webhooks']>) =>
  db.updateTable('webhooks').set(changes).where('id', '=', id).execute()

export const removeWebhook = (db: Db, id: string) => db.deleteFrom('webhooks').where('id', '=', id).execute()

export async function countWebhooks(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('webhooks')
    .select((build) => build.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Enabled webhooks that are not paused. */
export const findActiveWebhooks = (db: Db, now: Date): Promise<WebhookRow[]> =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where('is_enabled', '=', true)
    .where((build) => build.or([build('paused_until', 'is', null), build('paused_until', '<=', now)]))
    .execute()

/** Skips webhooks without failures, so that a working receiver causes no writes. */
export const clearFailures = (db: Db, ids: readonly string[]) =>
  db
    .updateTable('webhooks')
    .set({ failures: 0, failing_since: null, paused_until: null })
    .where('id', 'in', [...ids])
    .where('failing_since', 'is not', null)
    .execute()

/** Disables all webhooks, because receivers must not get events from both a restored database and the original. */
export const disableRestoredWebhooks = (db: Db) =>
  db
    .updateTable('webhooks')
    .set({ is_enabled: false, disabled_reason: 'restored' })
    .where('is_enabled', '=', true)
    .execute()

export interface WebhookCounts {
  webhook_id: string
  waiting: number
  failed: number
}

/** Counts the waiting and failed deliveries of one webhook or, without `webhookId`, of all webhooks. */
export async function countDeliveries(db: Db, webhookId?: string): Promise<Map<string, WebhookCounts>> {
  const { rows } = await sql<WebhookCounts>`SELECT webhook_id,
      count(*) FILTER (WHERE status = 'waiting')::int AS waiting,
      count(*) FILTER (WHERE status = 'failed')::int AS failed
    FROM webhook_deliveries
    WHERE status IN ('waiting', 'failed') ${webhookId === undefined ? sql`` : sql`AND webhook_id = ${webhookId}`}
    GROUP BY webhook_id`.execute(db)
  return new Map(rows.map((row) => [row.webhook_id, row]))
}

export async function findWaitingDeliveries(db: Db): Promise<{ waiting: number; oldest: Date | null }> {
  const { rows } = await sql<{ waiting: number; oldest: Date | null }>`
    SELECT count(*)::int AS waiting, min(created_at) AS oldest FROM webhook_deliveries
    WHERE status = 'waiting'`.execute(db)
  return rows[0] ?? { waiting: 0, oldest: null }
}
