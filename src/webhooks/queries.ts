import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db, Tables } from '../db/tables.ts'

export type WebhookRow = Selectable<Tables['webhooks']>

export const listWebhooks = (db: Db): Promise<WebhookRow[]> =>
  db.selectFrom('webhooks').selectAll().orderBy('created_at').orderBy('id').execute()

export const findWebhook = (db: Db, id: string): Promise<WebhookRow | undefined> =>
  db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()

export const lockWebhook = (db: Db, id: string): Promise<WebhookRow | undefined> =>
  db.selectFrom('webhooks').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const insertWebhook = (db: Db, row: Insertable<Tables['webhooks']>): Promise<WebhookRow> =>
  db.insertInto('webhooks').values(row).returningAll().executeTakeFirstOrThrow()

export const updateWebhook = (db: Db, id: string, changes: Updateable<Tables['webhooks']>): Promise<WebhookRow> =>
  db.updateTable('webhooks').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

export const deleteWebhook = (db: Db, id: string) => db.deleteFrom('webhooks').where('id', '=', id).execute()

export async function countWebhooks(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('webhooks')
    .select((build) => build.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Webhooks that may be sent something now. */
export const findActive = (db: Db, now: Date): Promise<WebhookRow[]> =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where('is_enabled', '=', true)
    .where((build) => build.or([build('paused_until', 'is', null), build('paused_until', '<=', now)]))
    .execute()

/** Whether the event `e` matches a pattern of the webhook `w`. */
export const isWanted = sql<boolean>`EXISTS (
  SELECT 1 FROM unnest(w.events) pattern WHERE pattern = '*' OR pattern = e.type
    OR (right(pattern, 2) = '.*' AND starts_with(e.type, left(pattern, -1))))`

/** Creates the deliveries of the events at these positions. A test event goes to one webhook only. */
export const insertDeliveries = (db: Db, from: number, to: number, now: Date) =>
  sql`INSERT INTO webhook_deliveries (id, webhook_id, position, user_id, created_at, next_attempt_at)
    SELECT gen_random_uuid(), w.id, e.position, e.user_id, ${now}, ${now}
    FROM events e JOIN webhooks w ON w.is_enabled
      AND CASE e.type WHEN 'webhook.test' THEN e.data->>'webhook_id' = w.id::text ELSE ${isWanted} END
    WHERE e.position > ${from} AND e.position <= ${to}
    ORDER BY e.position`.execute(db)
