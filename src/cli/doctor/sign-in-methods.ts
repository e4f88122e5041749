import type { Config } from '../../config/load.ts'
import { withStored } from '../../config/stored-values.ts'
import type { Database } from '../../db/connect.ts'
import { serviceClock } from '../../lib/time.ts'
import { problemWithoutMethods, problemWithoutPasswords } from '../../sign-in-methods/locked-out.ts'
import { offeredMethods } from '../../sign-in-methods/offered-methods.ts'
import { countWithoutMethod } from '../../sign-in-methods/queries.ts'
import { findStored } from '../../stored-settings/queries.ts'
import { type DoctorFinding, notice, ok, problem } from './finding.ts'

const about = 'Passwords'

const advice = 'Turn passwords on until these users have a passkey or a verified email address.'

export async function examinePasswords({ db }: Database, start: Config): Promise<DoctorFinding> {
  const { config } = withStored(start, await findStored(db))
  const lockedOut = await problemWithoutPasswords({ db, clock: serviceClock({ now: Date.now }) }, config)
  if (lockedOut) return problem(about, lockedOut)
  const change = {
    before: { ...offeredMethods(config), password: true },
    after: { ...offeredMethods(config), password: false },
  }
  const count = await countWithoutMethod(db, change)
  const users = count === 1 ? '1 user has' : `${count} users have`
  if (config.PASSWORDS_ENABLED) return ok(about, `on; ${users} no other way to sign in than a password`)
  if (count === 0) return ok(about, 'off; no user depends on a password')
  return notice(about, `off, but ${users} only a password and cannot sign in\n${advice}`)
}

/** Without a database, only the settings can leave no way to sign in. */
export function examineMethods(config: Config): DoctorFinding[] {
  const lockedOut = problemWithoutMethods(config)
  return lockedOut ? [problem(about, lockedOut)] : []
}
