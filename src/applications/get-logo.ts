import type { Context } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { looksLikeId } from '../lib/ids.ts'
import { findServedLogo } from './queries.ts'

/** The logo of an application that is not deleted. */
export async function getLogo({ db }: Context, id: string) {
  const found = looksLikeId(id) ? await findServedLogo(db, id) : undefined
  if (!found?.logo) throw new AppError('NOT_FOUND')
  return { ...found.logo, bytes: found.bytes }
}
