import type { Context, Transaction } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { thumbnailOf } from '../users/picture-address.ts'
import { findUnused, forgetPicture, insertReleased, markUnused } from './queries.ts'

/** Call this whenever a user's picture changes. The old files are removed after the commit or by a cleanup job. */
export async function releasePictures(tx: Transaction, userId: string): Promise<void> {
  const names = await markUnused(tx.db, userId, tx.clock.date())
  tx.after(async (ctx) => {
    for (const name of names) await removePicture(ctx, name)
  })
}

/** Excludes the file from cleanup. Used for files that no row in `users` refers to, such as post images. */
export async function keepPicture({ db }: Transaction, name: string): Promise<void> {
  if (!(await forgetPicture(db, name))) throw new AppError('UNAVAILABLE', { retryAfter: 2 })
}

/** Removes the files after the commit. */
export async function giveUpPictures(tx: Transaction, names: readonly string[]): Promise<void> {
  await insertReleased(tx.db, names, tx.clock.date())
  tx.after(async (ctx) => {
    for (const name of names) await removePicture(ctx, name)
  })
}

export async function removeUnusedPictures(ctx: Context, before: Date, limit: number): Promise<number> {
  let removed = 0
  for (const name of await findUnused(ctx.db, before, limit)) {
    if (await removePicture(ctx, name)) removed++
  }
  return removed
}

/** Removes the files before the row so that no file remains without a row. */
async function removePicture(ctx: Context, name: string): Promise<boolean> {
  try {
    await Promise.all([ctx.files.remove(name), ctx.files.remove(thumbnailOf(name))])
    await forgetPicture(ctx.db, name)
    return true
  } catch (error) {
    ctx.log.warn({ err: error }, 'could not delete an unused picture; it will be retried')
    return false
  }
}
