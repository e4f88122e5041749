import { operator } from '../admin/principal.ts'
import { recordAudit } from '../audit/record.ts'
import type { Transaction } from '../context.ts'
import type { Db } from '../db/tables.ts'
import { findGrantable, holdGrantable, insertGrants } from '../roles/grants/queries.ts'
import { describeGrants } from '../roles/grants/set-roles.ts'
import type { ImportedRole } from './prepare-roles.ts'
import type { ImportRules, PreparedUser } from './prepare-user.ts'

/** Users are imported without roles that do not exist. Returns the names of those that list a sensitive permission. */
export async function dropUnknownRoles(db: Db, users: readonly PreparedUser[]): Promise<ReadonlySet<string>> {
  const found = await findGrantable(db, namedBy(users))
  keepRoles(users, new Set(found.map(nameOf)), 'does not exist')
  return new Set(found.filter(({ sensitive }) => sensitive).map(nameOf))
}

/** As for superadmins, the operator must name what gives users more than a form in the console would without a proof. */
export function sensitiveProblem({ grants }: PreparedUser, sensitive: ReadonlySet<string>): string | undefined {
  const [name] = grants.map(nameOf).filter((one) => sensitive.has(one))
  return name && `roles contains ${name}, which has a sensitive permission and requires ${sensitiveOption}`
}

const sensitiveOption = '--allow-sensitive-roles'

const namedBy = (users: readonly PreparedUser[]) => [
  ...new Map(
    users.flatMap(({ grants }) =>
      grants.map((grant) => [nameOf(grant), { application: grant.application, role: grant.key }] as const),
    ),
  ).values(),
]

function keepRoles(users: readonly PreparedUser[], kept: ReadonlySet<string>, reason: string): void {
  for (const user of users) {
    const dropped = user.grants.map(nameOf).filter((name) => !kept.has(name))
    user.lost.push(...dropped.map((name) => `role ${name} (${reason})`))
    user.grants = user.grants.filter((grant) => kept.has(nameOf(grant)))
  }
}

/** The roles cannot be deleted until the end of the transaction. They may have become sensitive since the check. */
export async function writeRoles(
  tx: Transaction,
  users: readonly PreparedUser[],
  { allowSensitiveRoles }: Pick<ImportRules, 'allowSensitiveRoles'>,
): Promise<void> {
  const named = namedBy(users)
  if (named.length === 0) return
  const held = await holdGrantable(tx.db, named)
  const ids = new Map(held.map((role) => [nameOf(role), role.id]))
  keepRoles(users, new Set(ids.keys()), 'does not exist')
  const allowed = held.filter(({ sensitive }) => allowSensitiveRoles || !sensitive)
  keepRoles(users, new Set(allowed.map(nameOf)), `requires ${sensitiveOption}`)
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
