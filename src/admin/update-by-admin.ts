import { recordAudit } from '../audit/record.ts'
import type { Context, UserRow } from '../context.ts'
import { isSuperadmin } from '../http/access/permissions.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { assertUnchanged } from '../lib/expected-version.ts'
import { timeField } from '../lib/time-field.ts'
import { voidTokens, voidTokensOf } from '../one-time-tokens/queries.ts'
import { changeTrustedPhone } from '../passwordless/trusted-phone.ts'
import { endSessionsOf, invalidateSessions } from '../sessions/end-sessions.ts'
import { canSignIn } from '../sign-in-methods/can-sign-in.ts'
import { isLastSuperadmin } from '../sign-in-methods/last-superadmin.ts'
import { canonicalEmail, userTypeField } from '../users/fields.ts'
import { type UserChanges, updateUser } from '../users/queries.ts'
import { readChanges, type UserMembersInput } from '../users/read-changes.ts'
import { type AdminRequest, type LockedTarget, withLockedTarget } from './locked-target.ts'
import { mailAdminChanges } from './mail-admin-changes.ts'
import { noteSuperadmin } from './setup-link.ts'

export interface UpdateInput extends Pick<UserMembersInput, 'name' | 'last_name' | 'user_name' | 'phone' | 'title'> {
  /** Accepted if unchanged, because clients send the complete user object. */
  email?: string
  user_type?: string
  is_verified?: boolean
  two_factor?: boolean
  /**
   * The `updated_at` that the administrator read. If the user has changed since then, the update fails with
   * EDIT_CONFLICT.
   */
  expected_updated_at?: string
}

export const updateByAdmin = async (ctx: Context, request: AdminRequest, input: UpdateInput): Promise<UserRow> =>
  (await changeByAdmin(ctx, request, input)).after

/** `before` and `after` differ only by this update because the user is locked. */
export function changeByAdmin(
  ctx: Context,
  request: AdminRequest,
  { email, expected_updated_at, ...input }: UpdateInput,
): Promise<{ before: UserRow; after: UserRow }> {
  const expected = timeField('expected_updated_at', expected_updated_at)
  const requested = readInput(ctx, input, email !== undefined)
  return withLockedTarget(ctx, request, async (locked) => {
    const { tx, target, allow } = locked
    if (target.deleted_at) throw new AppError('NOT_FOUND')
    await allow('update')
    assertUnchanged(target, expected)
    if (email !== undefined && canonicalEmail(email) !== target.email)
      throw invalidField(
        'email',
        'cannot be changed here: users change their own email address, and both inboxes confirm the change',
      )
    const changes = differences(target, requested)
    if (changes.user_type !== undefined) await allow('change_role', changes.user_type)
    if (changes.is_verified !== undefined || changes.two_factor !== undefined) await allow('change_protection')
    if (Object.keys(changes).length === 0) return { before: target, after: target }
    const now = ctx.clock.date()
    await updateUser(tx.db, target.id, changes, now)
    // The number is not verified, so it does not become a login identifier.
    if (changes.phone !== undefined)
      await changeTrustedPhone(tx, { user: target, phone: changes.phone, isProven: false })
    await assertSuperadminRemains(locked, changes)
    await noteSuperadmin(tx, changes)
    await record(locked, request, changes)
    await endOrInvalidateSessions(locked, request, changes)
    return { before: target, after: { ...target, ...changes, updated_at: now } as UserRow }
  })
}

function readInput(
  ctx: Context,
  { user_type, is_verified, two_factor, ...members }: Omit<UpdateInput, 'email' | 'expected_updated_at'>,
  namesEmail: boolean,
): UserChanges {
  const flags = {
    ...(user_type !== undefined && { user_type: userTypeField('user_type', user_type, ctx) }),
    ...(is_verified !== undefined && { is_verified }),
    ...(two_factor !== undefined && { two_factor }),
  }
  if (!namesEmail && Object.keys(flags).length + Object.keys(members).length === 0)
    throw invalidField('body', 'must contain at least one member that can be changed')
  return { ...readChanges(ctx, members), ...flags }
}

const differences = (user: UserRow, requested: UserChanges): UserChanges =>
  Object.fromEntries(Object.entries(requested).filter(([name, value]) => user[name] !== value))

/**
 * A verified address or trusted phone number may be the last superadmin's only way to sign in. Other users can still sign
 * in with a link to the address, which verifies it again.
 */
async function assertSuperadminRemains({ tx, target }: LockedTarget, { is_verified, phone }: UserChanges) {
  if (!isSuperadmin(target) || (is_verified !== false && phone === undefined)) return
  if ((await isLastSuperadmin(tx, target.id)) && !(await canSignIn(tx, target.id)))
    throw new AppError('LAST_SUPERADMIN')
}

/** Records the old and new values of roles and flags. For names and numbers, records only that they changed. */
async function record({ tx, actor, target }: LockedTarget, { device }: AdminRequest, changes: UserChanges) {
  const { user_type, ...others } = changes
  const about = { actor, target: target.id, device }
  if (user_type !== undefined) {
    const details = { from: target.user_type, to: user_type }
    await recordAudit(tx, { event: 'role_changed', ...about, details })
  }
  if (Object.keys(others).length === 0) return
  const flags = (['is_verified', 'two_factor'] as const).filter((name) => others[name] !== undefined)
  const beforeAndAfter = flags.map((name) => [name, { from: target[name], to: others[name] }])
  const details = { changed: Object.keys(others), ...Object.fromEntries(beforeAndAfter) }
  await recordAudit(tx, { event: 'admin_user_updated', ...about, details })
}

/**
 * Changes to these columns trigger an email to the user. The second item of each pair is the name used in the email.
 */
const graveChanges = [
  ['user_type', 'user_type'],
  ['two_factor', 'second_factor'],
  ['phone', 'phone'],
] as const

async function endOrInvalidateSessions(
  { tx, actor, target }: LockedTarget,
  { device }: AdminRequest,
  changes: UserChanges,
) {
  const isChanged = (name: keyof UserChanges) => changes[name] !== undefined
  const ending = (['user_type', 'two_factor'] as const).some(isChanged)
  if (ending) {
    const now = tx.clock.date()
    // Links sent before the change would open the account with the new role.
    if (isChanged('user_type')) await voidTokensOf(tx.db, target.id, now)
    else await voidTokens(tx.db, 'login', target.id, now)
    await endSessionsOf(tx, target.id, { reason: 'changed_by_admin', actor, device })
  } else await invalidateSessions(tx, target.id)
  const grave = graveChanges.flatMap(([column, name]) => (isChanged(column) ? [name] : []))
  if (grave.length > 0) await mailAdminChanges(tx, target, grave)
}
