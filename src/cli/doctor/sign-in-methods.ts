import type { Config } from '../../config/load.ts'
import { withStored } from '../../config/stored-values.ts'
import type { Database } from '../../db/connect.ts'
import { offeredMethods } from '../../sign-in-methods/offered-methods.ts'
import { countWithoutMethod } from '../../sign-in-methods/queries.ts'
import { findStored } from '../../stored-settings/queries.ts'
import { type DoctorFinding, notice, ok } from './finding.ts'

const about = 'Passwords'

export async function examinePasswords({ db }: Database, start: Config): Promise<DoctorFinding> {
  const { config } = withStored(start, await findStored(db))
  const change = {
    before: { ...offeredMethods(config), password: true },
    after: { ...offeredMethods(config), password: false },
  }
  const count = await countWithoutMethod(db, change)
  const users = count === 1 ? '1 user has' : `${count} users have`
  if (config.PASSWORDS_ENABLED) return ok(about, `on; ${users} no other way to sign in than a password`)
  if (count === 0) return ok(about, 'off; no user depends on a password')
  return notice(about, `off, but ${users} only a password and cannot sign in`)
}
