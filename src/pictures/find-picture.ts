import type { Context } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { looksLikePictureFile } from './names.ts'

/** The bytes of a picture or a thumbnail; undefined for any name that is none of ours. */
export async function findPicture(ctx: Context, file: string): Promise<Buffer | undefined> {
  if (!looksLikePictureFile(file)) return undefined
  try {
    const bytes = await ctx.files.get(file)
    return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  } catch (cause) {
    throw new AppError('UNAVAILABLE', { retryAfter: 5, cause })
  }
}
