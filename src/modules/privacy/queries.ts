import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../../db/tables.ts'
import type { PageRequest } from '../../lib/paging.ts'
import type { PrivacyStatus } from './status.ts'

const statusColumns = sql`privacy_region, gdpr_consent, gdpr_consent_at, gdpr_consent_version,
  ccpa_applies, ccpa_opt_out, ccpa_opt_out_at`

export async function findStatus(db: Db, userId: string): Promise<PrivacyStatus | undefined> {
  const { rows } = await sql<PrivacyStatus>`
    SELECT ${statusColumns} FROM users WHERE id = ${userId} AND deleted_at IS NULL`.execute(db)
  return rows[0]
}

export async function lockStatus(db: Db, userId: string): Promise<PrivacyStatus | undefined> {
  const { rows } = await sql<PrivacyStatus>`
    SELECT ${statusColumns} FROM users WHERE id = ${userId} AND deleted_at IS NULL FOR NO KEY UPDATE`.execute(db)
  return rows[0]
}

export const writeStatus = (db: Db, userId: string, status: PrivacyStatus, now: Date) =>
  sql`UPDATE users SET privacy_region = ${status.privacy_region}, gdpr_consent = ${status.gdpr_consent},
    gdpr_consent_at = ${status.gdpr_consent_at}, gdpr_consent_version = ${status.gdpr_consent_version},
    ccpa_applies = ${status.ccpa_applies}, ccpa_opt_out = ${status.ccpa_opt_out},
    ccpa_opt_out_at = ${status.ccpa_opt_out_at}, updated_at = ${now} WHERE id = ${userId}`.execute(db)

/** Sends all rows in one JSON parameter. */
export const writeImportedStatus = (db: Db, rows: readonly (PrivacyStatus & { id: string })[]) =>
  sql`UPDATE users SET (privacy_region, gdpr_consent, gdpr_consent_at, gdpr_consent_version, ccpa_applies, ccpa_opt_out,
      ccpa_opt_out_at) = (given.privacy_region, given.gdpr_consent, given.gdpr_consent_at, given.gdpr_consent_version,
      given.ccpa_applies, given.ccpa_opt_out, given.ccpa_opt_out_at)
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS given (id uuid, privacy_region text, gdpr_consent boolean,
      gdpr_consent_at timestamptz, gdpr_consent_version text, ccpa_applies boolean, ccpa_opt_out boolean,
      ccpa_opt_out_at timestamptz)
    WHERE users.id = given.id`.execute(db)

export async function findStatuses(db: Db, ids: readonly string[]): Promise<(PrivacyStatus & { id: string })[]> {
  const { rows } = await sql<PrivacyStatus & { id: string }>`
    SELECT id, ${statusColumns} FROM users WHERE id = ANY(${[...ids]}::uuid[])`.execute(db)
  return rows
}

export type PrivacyEventRow = Selectable<Tables['user_privacy_events']>

export const insertEvent = (db: Db, row: PrivacyEventRow) => db.insertInto('user_privacy_events').values(row).execute()

/** Returns events newest first, without the columns that serve only as evidence. */
export const findPrivacyEventsOf = (db: Db, userId: string, { limit, offset }: Pick<PageRequest, 'limit' | 'offset'>) =>
  db
    .selectFrom('user_privacy_events')
    .select(['id', 'event', 'old_value', 'new_value', 'version', 'source', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export async function countPrivacyEventsOf(db: Db, userId: string): Promise<number> {
  const row = await db
    .selectFrom('user_privacy_events')
    .select((build) => build.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}
