import { sql } from 'kysely'
import type { RoleGrants, SessionRow, UserRow } from '../../../context.ts'
import { isBlocked } from '../../../users/block-queries.ts'
import { userColumns } from '../../../users/columns.ts'
import { type GrantRow, grantColumns, readGrants } from '../../../users/grant-queries.ts'
import type { UserReader } from '../../../users/queries.ts'
import type { OAuthGrantsTable } from '../grant-rows.ts'

/** A grant that has not ended, and its user, as one statement saw them. */
export interface GrantView {
  id: string
  epoch: number
  client_id: string
  client_epoch: number
  is_offline: boolean
  scopes: string[]
  resource_id: string | null
  claims: OAuthGrantsTable['claims']
  acr: string | null
  amr: string[]
  auth_time: Date
  expires_at: Date
  user: UserRow
  grants: RoleGrants
  /** Undefined if the session is over. */
  session: Pick<SessionRow, 'status' | 'created_at' | 'started_at' | 'last_used_at' | 'ends_at'> | undefined
}

type Row = Omit<GrantView, 'user' | 'grants' | 'session'> & GrantRow & Record<string, unknown>

export async function findGrantViews(ctx: UserReader, ids: readonly string[], now: Date): Promise<GrantView[]> {
  if (ids.length === 0) return []
  const columns = userColumns(ctx.modules)
  const ofUser = sql.join(columns.map((column) => sql`${sql.ref(`u.${column}`)} AS ${sql.ref(`u_${column}`)}`))
  const { rows } = await sql<Row>`SELECT g.id, g.epoch, g.client_id, g.client_epoch, g.is_offline, g.scopes,
      g.resource_id, g.claims, g.acr, g.amr, g.auth_time, g.expires_at, ${ofUser}, ${sql.raw(grantColumns)},
      s.status AS s_status, s.created_at AS s_created_at, s.started_at AS s_started_at,
      s.last_used_at AS s_last_used_at, s.ends_at AS s_ends_at
    FROM oauth_grants g
    JOIN users u ON u.id = g.user_id
    LEFT JOIN sessions s ON s.id = g.session_id AND s.status = 'active'
    WHERE g.id = ANY(${[...ids]}::uuid[]) AND g.ended_at IS NULL AND g.expires_at > ${now}
      AND u.deleted_at IS NULL AND NOT ${isBlocked(now, 'u.id')}`.execute(ctx.db)
  return rows.map((row) => toView(row, columns, now))
}

function toView(row: Row, columns: readonly string[], now: Date): GrantView {
  const user = Object.fromEntries(columns.map((column) => [column, row[`u_${column}`]]))
  return {
    ...row,
    epoch: Number(row.epoch),
    client_epoch: Number(row.client_epoch),
    user: user as unknown as UserRow,
    grants: readGrants(row, now.getTime()),
    session: sessionOf(row),
  }
}

const sessionOf = (row: Record<string, unknown>): GrantView['session'] =>
  row.s_status === null
    ? undefined
    : ({
        ...{ status: row.s_status, created_at: row.s_created_at, started_at: row.s_started_at },
        ...{ last_used_at: row.s_last_used_at, ends_at: row.s_ends_at },
      } as GrantView['session'])
