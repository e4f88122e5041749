import type { StaffRequest } from '../admin/as-staff.ts'
import type { Context } from '../context.ts'
import type { ApplicationKind } from '../db/rows/applications.ts'
import { invalidField } from '../lib/errors.ts'
import { returnAddressIn } from '../lib/return-address.ts'
import { isLocal } from './application-set.ts'
import { addApplication, changeApplication, changing, lockedApplication } from './change-application.ts'
import { type DeclaringSetting, type SettingWithAddress, settingsWith } from './declared.ts'
import { textsOf } from './differences.ts'
import { type Address, type ApplicationRow, findApplication, findByKey } from './queries.ts'
import { readApplication } from './read-input.ts'

interface Adoption {
  key: string
  address: string
  /** For a new application. Default: the key. */
  name?: string | undefined
  kind?: ApplicationKind | undefined
}

export interface Adopted {
  id: string
  isNew: boolean
  address: string
  settings: readonly SettingWithAddress[]
}

/**
 * Copies an address of the settings to an application. Nothing changes for users, because the settings come first as long
 * as they contain the address.
 */
export function adoptAddress(ctx: Context, request: StaffRequest, adoption: Adoption): Promise<Adopted> {
  const { key, name = key, kind = 'website' } = adoption
  const address = returnAddressIn(adoption.address) ?? adoption.address
  const settings = settingsWith(ctx.config, address)
  if (settings.length === 0)
    throw invalidField('address', 'is in none of ALLOWED_REDIRECTS, CORS_ORIGINS and FRONTEND_URL')
  const isFor = (kind: Address['kind']) => settings.some((one) => kindsOf[one.name].includes(kind))
  const listsFor = (present: readonly Address[]) => ({
    ...(isFor('return') && { return_addresses: [...textsOf(present, 'return'), address] }),
    ...(isFor('origin') && { origins: [...textsOf(present, 'origin'), address] }),
  })
  return changing(ctx, request, 'adopt_address', async (locked) => {
    const application = await findPresent(locked.tx.db, key)
    const development = isLocal(new URL(address))
    if (!application) {
      const id = await addApplication(locked, readApplication({ key, name, kind, development, ...listsFor([]) }))
      return { id, isNew: true, address, settings }
    }
    await changeApplication(lockedApplication(locked, application), readApplication(listsFor(application.addresses)))
    return { id: application.id, isNew: false, address, settings }
  })
}

async function findPresent(db: Context['db'], key: string): Promise<ApplicationRow | undefined> {
  const found = await findByKey(db, key)
  if (found?.deleted_at)
    throw invalidField('key', 'belongs to a deleted application: restore it first, or use another key')
  return found && findApplication(db, found.id)
}

const kindsOf: Record<DeclaringSetting, readonly Address['kind'][]> = {
  ALLOWED_REDIRECTS: ['return'],
  CORS_ORIGINS: ['origin'],
  FRONTEND_URL: ['return', 'origin'],
}
