import { type AdminRequest, type LockedTarget, withLockedTarget } from '../../admin/locked-target.ts'
import { recordAudit } from '../../audit/record.ts'
import type { Context, SessionView } from '../../context.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import { iso } from '../../lib/time.ts'
import { timeField } from '../../lib/time-field.ts'
import { invalidateSessions } from '../../sessions/end-sessions.ts'
import { assertRecentProof } from '../../sessions/session.ts'
import { deleteGrants, findHeld, type GrantableRole, type HeldGrant, holdGrantable, insertGrants } from './queries.ts'

export const maxGrants = 10

export interface GrantInput {
  application: string
  role: string
  until?: string | null
}

export interface RolesInput {
  roles: readonly GrantInput[]
  /** Without it, the roles of all applications are replaced. */
  application?: string
}

type GrantRequest = AdminRequest & {
  /** Undefined on the command line. */
  session?: Pick<SessionView, 'session'>
}

interface Wanted extends GrantableRole {
  until: Date | null
}

/** Replaces the application roles of a user. Roles with sensitive permissions require a recent authentication. */
export const setRolesOf = (ctx: Context, request: GrantRequest, input: RolesInput): Promise<void> =>
  withLockedTarget(ctx, request, async (locked) => {
    const { target, allow } = locked
    if (target.deleted_at) throw new AppError('NOT_FOUND')
    await allow('grant_roles')
    await replaceRoles(locked, request, input)
  })

/** Changes one role, and leaves the others as they are. */
export const changeRoleOf = (
  ctx: Context,
  request: GrantRequest,
  { action, ...grant }: GrantInput & { action: 'grant' | 'revoke' },
): Promise<void> =>
  withLockedTarget(ctx, request, async (locked) => {
    const { tx, target, allow } = locked
    if (target.deleted_at) throw new AppError('NOT_FOUND')
    await allow('grant_roles')
    const held = await findHeld(tx.db, target.id)
    const others = held.filter(({ application, key }) => application !== grant.application || key !== grant.role)
    const kept = others.map(({ application, key, until }) => ({ application, role: key, until: until && iso(until) }))
    await replaceRoles(locked, request, { roles: action === 'grant' ? [...kept, grant] : kept })
  })

async function replaceRoles(
  { tx, actor, target }: LockedTarget,
  { device, session }: GrantRequest,
  { roles, application }: RolesInput,
): Promise<void> {
  const foreign = roles.find((role) => application !== undefined && role.application !== application)
  if (foreign) throw invalidField('roles', `contains ${nameOf(foreign)}, which is not a role of ${application}`)
  const all = await findHeld(tx.db, target.id)
  const held = application === undefined ? all : all.filter((one) => one.application === application)
  const wanted = await readWanted(tx, roles, held)
  if (all.length - held.length + wanted.length > maxGrants)
    throw invalidField('roles', `must leave the user with at most ${maxGrants} roles`)
  const granted = wanted.filter((one) => !held.some((other) => isSame(one, other)))
  const revoked = held.filter((one) => !wanted.some(({ id }) => id === one.id))
  if (granted.length + revoked.length === 0) return
  if (session && [...granted, ...revoked].some(({ sensitive }) => sensitive)) assertRecentProof(tx, session)
  const now = tx.clock.date()
  const about = { user_id: target.id, granted_at: now, granted_by: actor.id }
  if (revoked.length > 0) await deleteGrants(tx.db, target.id, idsOf(revoked))
  if (granted.length > 0)
    await insertGrants(
      tx.db,
      granted.map(({ id, until }) => ({ ...about, role_id: id, until })),
    )
  const audit = (event: 'roles_granted' | 'roles_revoked', changed: readonly Wanted[]) =>
    recordAudit(tx, { event, actor, target: target.id, device, details: describeGrants(changed) })
  if (revoked.length > 0) await audit('roles_revoked', revoked)
  if (granted.length > 0) await audit('roles_granted', granted)
  await invalidateSessions(tx, target.id)
}

async function readWanted(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  roles: readonly GrantInput[],
  held: readonly HeldGrant[],
): Promise<Wanted[]> {
  const found = await holdGrantable(db, roles)
  const wanted = roles.map((given) => {
    const role = found.find(({ application, key }) => application === given.application && key === given.role)
    if (!role) throw invalidField('roles', `contains ${nameOf(given)}, which does not exist`)
    const until = timeField('until', given.until) ?? null
    const isKept = held.some((one) => isSame({ ...role, until }, one))
    if (until && until.getTime() <= clock.now() && !isKept) throw invalidField('until', 'must be in the future')
    return { ...role, until }
  })
  const twice = wanted.find(({ id }, at) => wanted.findIndex((one) => one.id === id) !== at)
  if (twice) throw invalidField('roles', `contains ${twice.application}:${twice.key} twice`)
  return wanted
}

const isSame = (one: Wanted, other: Wanted): boolean =>
  one.id === other.id && one.until?.getTime() === other.until?.getTime()

const idsOf = (roles: readonly { id: string }[]): string[] => roles.map(({ id }) => id)

const nameOf = ({ application, role }: GrantInput): string => `${application}:${role}`.slice(0, 150)

/** For the audit trail. */
export function describeGrants(changed: readonly Pick<Wanted, 'application' | 'key' | 'until'>[]) {
  const ends = changed.filter(({ until }) => until !== null)
  const names = changed.map(({ application, key }) => `${application}:${key}`)
  return {
    roles: names,
    ...(ends.length > 0 && {
      until: Object.fromEntries(
        ends.map(({ application, key, until }) => [`${application}:${key}`, until && iso(until)]),
      ),
    }),
  }
}
