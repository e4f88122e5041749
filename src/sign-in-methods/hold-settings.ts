import type { Context } from '../context.ts'
import { waitForSharedLock } from '../db/advisory-locks.ts'
import { findStoredValues } from './queries.ts'

/**
 * Returns the configuration with the values that are stored now, which this node may not have read yet. No node can
 * change them until the transaction ends, so a change of settings counts users before or after the transaction.
 */
export async function holdSettings({ db, settings }: Pick<Context, 'db' | 'settings'>): Promise<Context['config']> {
  await waitForSharedLock(db, 'settings')
  return settings.apply(await findStoredValues(db)).config
}
