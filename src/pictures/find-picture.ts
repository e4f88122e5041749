import type { Context } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { looksLikePictureFile, nameOfFile } from './names.ts'
import { isWithdrawn } from './queries.ts'

/** Undefined for unknown names and for deleted users, whose files remain until they are erased or restored. */
export async function findPicture(ctx: Context, file: string): Promise<Buffer | undefined> {
  if (!looksLikePictureFile(file)) return undefined
  if (await isWithdrawn(ctx.db, nameOfFile(file))) return undefined
  try {
    const bytes = await ctx.files.get(file)
    return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  } catch (cause) {
    throw new AppError('UNAVAILABLE', { retryAfter: 5, cause })
  }
}
