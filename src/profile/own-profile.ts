import type { Context, SessionView } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { findUserWithPassword, withoutPassword } from '../users/queries.ts'
import { loginUserWithModules } from '../users/shapes.ts'

export async function ownProfile(ctx: Context, { user: { id } }: Pick<SessionView, 'user'>) {
  const found = await findUserWithPassword(ctx, id)
  if (!found) throw new AppError('INVALID_SESSION')
  const user = withoutPassword(found)
  return {
    user: loginUserWithModules(ctx, user),
    phone: user.phone ?? '',
    lang: user.lang,
    has_password: found.password_hash !== null,
  }
}
