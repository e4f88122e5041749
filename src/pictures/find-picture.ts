import type { Context } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { looksLikePictureFile, nameOfFile } from './names.ts'
import { isWithdrawn } from './queries.ts'

/**
 * The bytes of a picture or a thumbnail; undefined for a name that is none of ours, and for the picture of a deleted
 * user, whose file stays until the user is erased or restored.
 */
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
