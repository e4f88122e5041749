import type { Principal } from '../../admin/principal.ts'
import { recordAudit } from '../../audit/record.ts'
import type { Context, Transaction } from '../../context.ts'
import { waitForLock } from '../../db/advisory-locks.ts'
import { transact } from '../../db/transact.ts'
import type { RequestDevice } from '../../http/access/device.ts'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { announceRoles } from '../announce-roles.ts'
import { findRoleEpochs } from '../application-queries.ts'
import { insertRole, removeRole, updateRole } from '../queries.ts'
import { assertBounds, type DeclarationPlan, isEmptyPlan, type Known, planDeclarationOf } from './plan.ts'
import * as queries from './queries.ts'
import { type Declaration, taken } from './read-declaration.ts'

export interface DeclaringInput {
  /** The key of the application. */
  application: string
  declaration: Declaration
  /** Whether to remove what is no longer declared. */
  prune: boolean
}

interface Declaring {
  device: RequestDevice | undefined
  /** Undefined for a back end. */
  actor?: Principal['actor'] | undefined
}

export type ApplicationPlan = Omit<DeclarationPlan, 'target'> & { application: string }

/** Throws NOT_FOUND, and PERMISSION_TAKEN if a permission belongs to another application. Changes nothing. */
export async function planDeclaration(ctx: Pick<Context, 'db'>, input: DeclaringInput): Promise<ApplicationPlan> {
  const application = await queries.findApplicationByKey(ctx.db, input.application)
  if (!application) throw new AppError('NOT_FOUND')
  return shown(input.application, (await planFor(ctx.db, application.id, input)).plan)
}

/** Like `planDeclaration`, but does what the plan says in one transaction. */
export const applyDeclaration = (ctx: Context, who: Declaring, input: DeclaringInput): Promise<ApplicationPlan> =>
  transact(ctx, async (tx) => {
    const application = await queries.holdApplication(tx.db, input.application)
    if (!application) throw new AppError('NOT_FOUND')
    await waitForLock(tx.db, 'permissions')
    const { plan, known } = await planFor(tx.db, application.id, input)
    if (isEmptyPlan(plan)) return shown(application.key, plan)
    const epochs = await findRoleEpochs(tx.db, application.id)
    await changePermissions(tx, application.id, { plan, input })
    const changes = await changeRoles(tx, application.id, { plan, known })
    const about = { application: application.id, key: application.key }
    const { target: _target, ...difference } = plan
    const { device, actor } = who
    await recordAudit(tx, { event: 'permissions_applied', device, actor, details: { ...about, ...difference } })
    for (const { event, ...role } of changes)
      await recordAudit(tx, { event, device, actor, details: { ...about, ...role } })
    await announceRoles(
      tx,
      application.id,
      epochs.filter(({ key }) => plan.roles.removed.includes(key)),
    )
    return shown(application.key, plan)
  })

async function planFor(db: Context['db'], applicationId: string, { declaration, prune }: DeclaringInput) {
  const keys = declaration.permissions.map(({ key }) => key)
  const others = await queries.findTakenPermissions(db, keys, applicationId)
  if (others.length > 0) throw taken(others)
  const known = await queries.findKnownRoles(db, applicationId)
  const plan = planDeclarationOf(known, declaration, prune)
  assertBounds(plan, known)
  return { known, plan }
}

const shown = (application: string, { target: _target, ...plan }: DeclarationPlan): ApplicationPlan => ({
  application,
  ...plan,
})

async function changePermissions(
  tx: Transaction,
  applicationId: string,
  { plan, input }: { plan: DeclarationPlan; input: DeclaringInput },
): Promise<void> {
  const { added, changed, retired, removed } = plan.permissions
  const declared = input.declaration.permissions.filter(({ key }) => added.includes(key) || changed.includes(key))
  await queries.declarePermissions(tx.db, applicationId, declared)
  if (retired.length > 0) await queries.retirePermissions(tx.db, retired, tx.clock.date())
  if (removed.length > 0) await queries.removePermissions(tx.db, removed)
}

interface RoleChange {
  event: 'application_role_created' | 'application_role_updated' | 'application_role_deleted'
  role: string
  role_id: string
}

async function changeRoles(
  tx: Transaction,
  applicationId: string,
  { plan, known }: { plan: DeclarationPlan; known: Known },
): Promise<RoleChange[]> {
  const now = tx.clock.date()
  const changes: RoleChange[] = []
  const idOf = (key: string) => known.roles.find((role) => role.key === key)?.id ?? ''
  for (const { key, ...members } of plan.target) {
    const { name, description, is_default } = members
    const columns = { name, description, is_default, permissions: [...members.permissions], updated_at: now }
    if (plan.roles.added.includes(key)) {
      const id = newId()
      const own = { id, key, kind: 'application', application_id: applicationId, created_at: now } as const
      await insertRole(tx.db, { ...own, ...columns })
      changes.push({ event: 'application_role_created', role: key, role_id: id })
    } else if (plan.roles.changed.includes(key)) {
      await updateRole(tx.db, idOf(key), columns)
      changes.push({ event: 'application_role_updated', role: key, role_id: idOf(key) })
    }
  }
  for (const key of plan.roles.removed) {
    await removeRole(tx.db, idOf(key))
    changes.push({ event: 'application_role_deleted', role: key, role_id: idOf(key) })
  }
  return changes
}
