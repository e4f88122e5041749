import { randomBytes } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { seal, unseal } from '../../../lib/seal.ts'
import { findSecret, insertSecret } from './queries.ts'

/**
 * The key that makes viewers of one day out of addresses. It is random, lies sealed in the database so that all nodes have
 * the same, and is derived from nothing: once its row is gone, nobody can make it again, not even with our own secrets.
 */
export async function dayKey({ db, dataKeys }: Pick<Context, 'db' | 'dataKeys'>, day: string): Promise<string> {
  const found = await findSecret(db, day)
  if (found !== undefined) return unseal(dataKeys, found)
  await insertSecret(db, day, seal(dataKeys, randomBytes(32).toString('base64url')))
  return dayKey({ db, dataKeys }, day)
}
