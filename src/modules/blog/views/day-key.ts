import { randomBytes } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { seal, tryUnseal } from '../../../lib/seal.ts'
import { day, iso } from '../../../lib/time.ts'
import { findDayKey, insertDayKey, replaceDayKey } from './queries.ts'

/** The key is independent of other secrets. After its deletion, viewer ids can no longer be linked to IP addresses. */
export async function dayKey({ db, dataKeys }: Pick<Context, 'db' | 'dataKeys'>, day: string): Promise<string> {
  const found = await findDayKey(db, day)
  const key = found && tryUnseal(dataKeys, found)
  if (key !== undefined) return key
  const made = seal(dataKeys, randomBytes(32).toString('base64url'))
  // Replaces a key that cannot be decrypted. That day's viewers may then be counted twice.
  if (found === undefined) await insertDayKey(db, day, made)
  else await replaceDayKey(db, day, found, made)
  return dayKey({ db, dataKeys }, day)
}

export const dayOf = (time: number): string => iso(time).slice(0, 10)

export const daysBefore = (time: number, days: number): string => dayOf(time - days * day)
