import { operator } from '../admin/principal.ts'
import { recordAudit } from '../audit/record.ts'
import type { Transaction } from '../context.ts'
import type { Db } from '../db/tables.ts'
import { holdGrantable, insertGrants } from '../roles/grants/queries.ts'
import { describeGrants } from '../roles/grants/set-roles.ts'
import { findExistingRoles } from '../users/role-queries.ts'
import type { ImportedRole } from './prepare-roles.ts'
import type { PreparedUser } from './prepare-user.ts'

/** Users are imported without roles that do not exist. */
export async function dropUnknownRoles(db: Db, users: readonly PreparedUser[]): Promise<void> {
  const names = new Set(users.flatMap(({ grants }) => grants.map(nameOf)))
  if (names.size > 0) keepRoles(users, await findExistingRoles(db, [...names]))
}

function keepRoles(users: readonly PreparedUser[], known: ReadonlySet<string>): void {
  for (const user of users) {
    const unknown = user.grants.map(nameOf).filter((name) => !known.has(name))
    user.lost.push(...unknown.map((name) => `role ${name} (does not exist)`))
    user.grants = user.grants.filter((grant) => known.has(nameOf(grant)))
  }
}

/** The roles cannot be deleted until the end of the transaction. */
export async function writeRoles(tx: Transaction, users: readonly PreparedUser[]): Promise<void> {
  const named = users.flatMap(({ grants }) => grants.map(({ application, key }) => ({ application, role: key })))
  if (named.length === 0) return
  const ids = new Map((await holdGrantable(tx.db, named)).map((role) => [nameOf(role), role.id]))
  keepRoles(users, new Set(ids.keys()))
  const rows = users.flatMap(({ row, grants }) =>
    grants.map((grant) => ({
      ...{ user_id: row.id, role_id: ids.get(nameOf(grant)) ?? '', until: grant.until },
      ...{ granted_at: tx.clock.date(), granted_by: null },
    })),
  )
  if (rows.length > 0) await insertGrants(tx.db, rows)
  for (const { row, grants } of users) {
    if (grants.length === 0) continue
    await recordAudit(tx, { event: 'roles_granted', ...operator, target: row.id, details: describeGrants(grants) })
  }
}

const nameOf = ({ application, key }: Pick<ImportedRole, 'application' | 'key'>): string => `${application}:${key}`
