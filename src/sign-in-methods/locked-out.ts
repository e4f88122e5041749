import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../context.ts'
import { offeredMethods } from './offered-methods.ts'
import { canSuperadminSignIn, countWithoutMethod, hasUsers } from './queries.ts'

type Config = Context['config']

/** The number of users who can sign in before a change of settings but not afterwards. */
export async function countLockedOut({ db }: Context, before: Config, after: Config): Promise<number> {
  const change = { before: offeredMethods(before), after: offeredMethods(after) }
  return isDeepStrictEqual(change.before, change.after) ? 0 : countWithoutMethod(db, change)
}

/** Why the service cannot be used with these settings. Undefined if passwords are on, or if somebody can sign in. */
export async function problemWithoutPasswords(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  config: Config,
): Promise<string | undefined> {
  const problem = problemWithoutMethods(config)
  if (problem || config.PASSWORDS_ENABLED || !(await hasUsers(db))) return problem
  return (await canSuperadminSignIn(db, offeredMethods(config), { now: clock.date() })) ? undefined : nobody
}

/** Why no user could sign in with these settings, whatever the database contains. */
export function problemWithoutMethods(config: Config): string | undefined {
  const { passkey, providers } = offeredMethods(config)
  return config.PASSWORDS_ENABLED || config.TOKEN_LOGIN_ENABLED || passkey || providers.length > 0 ? undefined : noWay
}

/**
 * Why a change of settings is rejected. If passwords stay on, nobody needs to be able to sign in afterwards who could
 * not do so before.
 */
export async function problemWithChange(ctx: Context, before: Config, after: Config): Promise<string | undefined> {
  const problem = await problemWithoutPasswords(ctx, after)
  if (problem) return problem
  const someoneCan = (config: Config) => canSuperadminSignIn(ctx.db, offeredMethods(config), { now: ctx.clock.date() })
  return (await someoneCan(before)) && !(await someoneCan(after)) ? lastSuperadmin : undefined
}

const noWay =
  'PASSWORDS_ENABLED=false leaves no way to sign in: set TOKEN_LOGIN_ENABLED=true, configure a provider, or enable passkeys'

const nobody =
  'PASSWORDS_ENABLED=false leaves no superadmin who can sign in: with passwords on, add a passkey, link an account, or ' +
  'verify the email address of a superadmin and set SMTP_URL. "wardenry admin create" creates a superadmin and prints a link that signs in'

const lastSuperadmin =
  'would leave no superadmin who can sign in: a superadmin must first set a password, link an account or verify the email address'
