import { sql } from 'kysely'
import type { HandoverCodesTable } from '../db/rows/sessions.ts'
import type { Db } from '../db/tables.ts'

type NewCode = Omit<HandoverCodesTable, 'used_at' | 'child_session_id' | 'application_epoch'>

/** Returns false if the session has ended, is partial or impersonated, or belongs to an application. */
export async function insertCode(db: Db, code: NewCode): Promise<boolean> {
  const { rows } = await sql`INSERT INTO handover_codes (id, code_hash, session_id, return_to, application_id,
      application_epoch, code_challenge, ip_address, user_agent, user_device, created_at, expires_at)
    SELECT ${code.id}, ${code.code_hash}, id, ${code.return_to}, ${code.application_id}::uuid,
      (SELECT epoch FROM applications WHERE id = ${code.application_id}::uuid), ${code.code_challenge},
      ${code.ip_address}, ${code.user_agent}, ${code.user_device}, ${code.created_at}, ${code.expires_at}
    FROM sessions WHERE id = ${code.session_id} AND status = 'active' AND parent_id IS NULL AND impersonated_by IS NULL
    RETURNING id`.execute(db)
  return rows.length > 0
}

export type FoundCode = Omit<HandoverCodesTable, 'code_hash' | 'created_at'> & { user_id: string }

export async function findCode(db: Db, codeHash: Buffer): Promise<FoundCode | undefined> {
  const { rows } = await sql<FoundCode>`SELECT c.id, c.session_id, c.return_to, c.code_challenge, c.application_id,
      c.application_epoch, c.ip_address, c.user_agent, c.user_device, c.expires_at, c.used_at, c.child_session_id, s.user_id
    FROM handover_codes c JOIN sessions s ON s.id = c.session_id WHERE c.code_hash = ${codeHash}`.execute(db)
  return rows[0]
}

/** Undefined if the application is disabled or deleted. */
export const findEnabledApplication = (db: Db, id: string) =>
  db
    .selectFrom('applications')
    .select(['epoch', 'sessions_from_epoch', 'sign_in_methods'])
    .where('id', '=', id)
    .where('is_enabled', '=', true)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

export interface PresentedCode {
  codeHash: Buffer
  codeChallenge: string
  returnTo: string
}

/** A single conditional UPDATE ensures that a code can be used only once. */
export async function consumeCode(
  db: Db,
  { codeHash, codeChallenge, returnTo }: PresentedCode,
  { now, childSessionId }: { now: Date; childSessionId: string },
): Promise<boolean> {
  const { rows } = await sql`UPDATE handover_codes SET used_at = ${now}, child_session_id = ${childSessionId}
    WHERE code_hash = ${codeHash} AND code_challenge = ${codeChallenge} AND return_to = ${returnTo}
      AND used_at IS NULL AND expires_at > ${now}
    RETURNING id`.execute(db)
  return rows.length > 0
}

export async function deleteExpiredHandoverCodes(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM handover_codes WHERE id IN (
    SELECT id FROM handover_codes WHERE expires_at < ${before} ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(
    db,
  )
  return Number(result.numAffectedRows ?? 0n)
}
