import { recordAudit } from '../audit/record.ts'
import type { Context, Transaction, UserRow } from '../context.ts'
import { stateFact } from '../db/installation-facts.ts'
import { transact } from '../db/transact.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { AppError, emailTaken, invalidField } from '../lib/errors.ts'
import { newUserName } from '../lib/ids.ts'
import { consumeOneTimeToken } from '../one-time-tokens/one-time-token.ts'
import { firstLanguage } from '../outbox/messages.ts'
import { assertGoodPassword, normalPassword } from '../passwords/policy.ts'
import { issueInvitation } from '../passwords/request-reset.ts'
import { type CreatedSession, createSession } from '../sessions/create-session.ts'
import { offeredMethods } from '../sign-in-methods/offered-methods.ts'
import { createUser } from '../users/create-user.ts'
import { emailField, nameField } from '../users/fields.ts'
import { operator } from './principal.ts'
import { rollUpActivityAtOnce } from './roll-up-activity.ts'
import { firstAdminExisted, firstAdminFact } from './setup-link.ts'

export interface AdminInput {
  email: string
  /** Required unless PASSWORDS_ENABLED is false. */
  password?: string | undefined
  name?: string | undefined
}

export async function setUpFirstAdmin(
  ctx: Context,
  { token, ...input }: AdminInput & { token: string },
  device: RequestDevice,
  replaces: readonly string[],
): Promise<CreatedSession> {
  if (await firstAdminExisted(ctx)) throw new AppError('NOT_FOUND')
  const admin = await prepare(ctx, input)
  const created = await transact(ctx, async (tx) => {
    await consumeOneTimeToken(tx, 'setup', token)
    const user = await createFirst(tx, admin, device)
    if (!user) throw new AppError('NOT_FOUND')
    return createSession(tx, { userId: user.id, proof: 'setup', device, replaces })
  })
  // The console, which is shown next, would count the superadmin in some figures but not in others.
  await rollUpActivityAtOnce(ctx).catch((error) => ctx.log.warn({ err: error }, 'the activity could not be counted'))
  return created
}

/** Creates the user only once per installation, even if several nodes start concurrently. */
export async function createConfiguredAdmin(ctx: Context): Promise<void> {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = ctx.config
  if (!email || !password || (await firstAdminExisted(ctx))) return
  const { PASSWORDS_ENABLED } = ctx.config
  // Without passwords and emails, only the set-up link lets the first superadmin in.
  if (!PASSWORDS_ENABLED && !offeredMethods(ctx.config).email) return
  const admin = await prepare(ctx, { email, ...(PASSWORDS_ENABLED && { password }) })
  await transact(ctx, (tx) => createFirst(tx, admin))
}

/**
 * Called only by the command line, which may create any number of superadmins. Without passwords, returns a link that
 * signs in, because the service may not be configured to send emails.
 */
export async function createAdmin(ctx: Context, input: AdminInput): Promise<{ user: UserRow; link?: string }> {
  const admin = await prepare(ctx, input)
  return transact(ctx, async (tx) => {
    const isFirst = await stateFact(tx.db, firstAdminFact, ctx.clock.date())
    const user = await insertSuperadmin(tx, admin, isFirst ? 'first_admin_created' : 'admin_user_created', operator)
    if (admin.password_hash !== null) return { user }
    return { user, link: (await issueInvitation(tx, user, ctx.config.INVITE_TTL)).url }
  })
}

type Prepared = Awaited<ReturnType<typeof prepare>>

async function prepare(ctx: Context, input: AdminInput) {
  const email = emailField('email', input.email)
  const name = input.name ? nameField('name', input.name) : ''
  return { email, name, password_hash: await hashOf(ctx, input.password, email) }
}

async function hashOf(ctx: Context, chosen: string | undefined, email: string): Promise<string | null> {
  if (chosen === undefined && !ctx.config.PASSWORDS_ENABLED) return null
  if (chosen === undefined) throw invalidField('password', 'is required')
  const password = normalPassword(chosen)
  await assertGoodPassword(ctx, 'password', password, { email })
  return ctx.passwords.hash(password)
}

/** Undefined if another process has already created the first superadmin. */
async function createFirst(tx: Transaction, admin: Prepared, device?: RequestDevice): Promise<UserRow | undefined> {
  if (!(await stateFact(tx.db, firstAdminFact, tx.clock.date()))) return undefined
  return insertSuperadmin(tx, admin, 'first_admin_created', { device })
}

async function insertSuperadmin(
  tx: Transaction,
  admin: Prepared,
  event: 'first_admin_created' | 'admin_user_created',
  { actor, device }: { actor?: typeof operator.actor; device?: RequestDevice | undefined },
): Promise<UserRow> {
  const creation = await createUser(tx, {
    ...admin,
    user_name: newUserName(),
    user_type: 'superadmin',
    is_verified: true,
    ...(device && firstLanguage(device)),
  })
  if ('taken' in creation) throw emailTaken()
  await recordAudit(tx, {
    event,
    actor,
    target: creation.user.id,
    device,
  })
  return creation.user
}
