import { sql } from 'kysely'
import type { RoleGrants, UserRow } from '../../context.ts'
import { userColumns } from '../../users/columns.ts'
import { type GrantRow, grantColumns, readGrants } from '../../users/grant-queries.ts'
import type { UserReader } from '../../users/queries.ts'
import type { KeyRow } from './key-queries.ts'

export interface AccountOfKey {
  id: string
  name: string
  scopes: string[]
  ends_at: Date | null
  epoch: number
  is_live: boolean
}

export interface OwnerOfAccount {
  id: string
  epoch: number
  /** Neither deleted nor blocked. */
  is_live: boolean
}

export type FoundKey = Pick<
  KeyRow,
  'id' | 'name' | 'user_id' | 'scopes' | 'ip_ranges' | 'ends_at' | 'last_used_at' | 'epoch'
> & {
  /** In hex. */
  hash: string
  user: UserRow | null
  account: AccountOfKey | null
  account_owners: OwnerOfAccount[]
  grants: RoleGrants
}

type Row = Omit<FoundKey, 'user' | 'account' | 'grants'> &
  GrantRow & {
    account_id: string | null
    account_name: string
    account_scopes: string[]
    account_ends_at: Date | null
    account_epoch: number
    account_is_live: boolean
  } & Record<string, unknown>

/**
 * The keys that are valid and whose user is neither deleted nor blocked. One statement reads the keys, their users and
 * service accounts, and the epochs of all of them, so that no view combines different times.
 */
export async function findKeysByHash(ctx: UserReader, hashes: readonly Buffer[], now: Date): Promise<FoundKey[]> {
  const columns = userColumns(ctx.modules)
  const ofUser = sql.join(columns.map((column) => sql`${sql.ref(`u.${column}`)} AS ${sql.ref(`u_${column}`)}`))
  const blocked = (id: string) => sql`EXISTS (SELECT FROM user_blocks b
    WHERE b.user_id = ${sql.ref(id)} AND (b.until IS NULL OR b.until > ${now}))`
  const { rows } = await sql<Row>`SELECT encode(k.secret_hash, 'hex') AS hash, k.id, k.name, k.user_id, k.scopes,
      k.ip_ranges, k.ends_at, k.last_used_at, k.epoch, ${ofUser}, ${sql.raw(grantColumns)},
      a.id AS account_id, a.name AS account_name, a.scopes AS account_scopes, a.ends_at AS account_ends_at,
      a.epoch AS account_epoch,
      (a.is_enabled AND a.deleted_at IS NULL AND (a.ends_at IS NULL OR a.ends_at > ${now})) AS account_is_live,
      coalesce((SELECT json_agg(json_build_object('id', w.id, 'epoch', w.session_epoch,
          'is_live', w.deleted_at IS NULL AND NOT ${blocked('w.id')}) ORDER BY w.id)
        FROM service_account_owners o JOIN users w ON w.id = o.user_id
        WHERE o.service_account_id = a.id), '[]') AS account_owners
    FROM api_keys k
    LEFT JOIN users u ON u.id = k.user_id
    LEFT JOIN service_accounts a ON a.id = k.service_account_id
    WHERE k.secret_hash = ANY(${[...hashes]}::bytea[]) AND k.ended_at IS NULL
      AND (k.ends_at IS NULL OR k.ends_at > ${now})
      AND (k.user_id IS NULL OR (u.deleted_at IS NULL AND NOT ${blocked('u.id')}))`.execute(ctx.db)
  return rows.map((row) => toFound(row, columns, now))
}

function toFound(row: Row, columns: readonly string[], now: Date): FoundKey {
  const user = Object.fromEntries(columns.map((column) => [column, row[`u_${column}`]]))
  const account = {
    id: row.account_id ?? '',
    name: row.account_name,
    scopes: row.account_scopes,
    ends_at: row.account_ends_at,
    epoch: row.account_epoch,
    is_live: row.account_is_live,
  }
  return {
    ...row,
    user: row.user_id === null ? null : (user as unknown as UserRow),
    account: row.account_id === null ? null : account,
    grants: readGrants(row, now.getTime()),
  }
}
