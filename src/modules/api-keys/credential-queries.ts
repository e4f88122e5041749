import { sql } from 'kysely'
import type { RoleGrants, UserRow } from '../../context.ts'
import { isBlocked } from '../../users/block-queries.ts'
import { userColumns } from '../../users/columns.ts'
import { type GrantRow, grantColumns, readGrants } from '../../users/grant-queries.ts'
import type { UserReader } from '../../users/queries.ts'
import type { KeyRow } from './key-queries.ts'
import { accountColumns, type OwningAccount } from './live-account-queries.ts'

export type FoundKey = Pick<
  KeyRow,
  'id' | 'name' | 'user_id' | 'scopes' | 'ip_ranges' | 'ends_at' | 'last_used_at' | 'epoch'
> & {
  /** In hex. */
  hash: string
  user: UserRow | null
  account: OwningAccount | null
  grants: RoleGrants
}

type Row = Omit<FoundKey, 'user' | 'grants'> & GrantRow & Record<string, unknown>

/**
 * The keys that are valid and whose user is neither deleted nor blocked. One statement reads the keys, their users and
 * service accounts, and the epochs of all of them, so that no view combines different times.
 */
export async function findKeysByHash(ctx: UserReader, hashes: readonly Buffer[], now: Date): Promise<FoundKey[]> {
  const columns = userColumns(ctx.modules)
  const ofUser = sql.join(columns.map((column) => sql`${sql.ref(`u.${column}`)} AS ${sql.ref(`u_${column}`)}`))
  const { rows } = await sql<Row>`SELECT encode(k.secret_hash, 'hex') AS hash, k.id, k.name, k.user_id, k.scopes,
      k.ip_ranges, k.ends_at, k.last_used_at, k.epoch, ${ofUser}, ${sql.raw(grantColumns)},
      CASE WHEN a.id IS NOT NULL THEN ${accountColumns(now)} END AS account
    FROM api_keys k
    LEFT JOIN users u ON u.id = k.user_id
    LEFT JOIN service_accounts a ON a.id = k.service_account_id
    WHERE k.secret_hash = ANY(${[...hashes]}::bytea[]) AND k.ended_at IS NULL
      AND (k.ends_at IS NULL OR k.ends_at > ${now})
      AND (k.user_id IS NULL OR (u.deleted_at IS NULL AND NOT ${isBlocked(now, 'u.id')}))`.execute(ctx.db)
  return rows.map((row) => toFound(row, columns, now))
}

function toFound(row: Row, columns: readonly string[], now: Date): FoundKey {
  const user = Object.fromEntries(columns.map((column) => [column, row[`u_${column}`]]))
  return {
    ...row,
    user: row.user_id === null ? null : (user as unknown as UserRow),
    grants: readGrants(row, now.getTime()),
  }
}
