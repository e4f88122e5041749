import { randomBytes } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { seal, tryUnseal } from '../../../lib/seal.ts'
import { findSecret, insertSecret, replaceSecret } from './queries.ts'

/**
 * The key that makes viewers of one day out of addresses. It is random, lies sealed in the database so that all nodes have
 * the same, and is derived from nothing: once its row is gone, nobody can make it again, not even with our own secrets.
 */
export async function dayKey({ db, dataKeys }: Pick<Context, 'db' | 'dataKeys'>, day: string): Promise<string> {
  const found = await findSecret(db, day)
  const key = found && tryUnseal(dataKeys, found)
  if (key !== undefined) return key
  const made = seal(dataKeys, randomBytes(32).toString('base64url'))
  // What a lost key has sealed is replaced. Viewers of that day may be counted twice.
  if (found === undefined) await insertSecret(db, day, made)
  else await replaceSecret(db, day, found, made)
  return dayKey({ db, dataKeys }, day)
}
