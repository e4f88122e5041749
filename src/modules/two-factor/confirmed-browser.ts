import type { FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/tables.ts'
import { isMarkFor, newMark } from '../../sessions/browser-mark.ts'
import { keepConfirmation } from '../../sessions/confirmed-browser.ts'
import type { CreatedSession } from '../../sessions/create-session.ts'
import { type Owner, ownerOf } from '../../sessions/known-device.ts'
import type { UserWithPassword } from '../../users/queries.ts'
import { findFactorState } from './queries.ts'
import { isRequiredFor } from './required-for.ts'

/** Remembers on this browser that its user has just confirmed a sign-in, if that is possible here. */
export async function rememberBrowser(
  ctx: Context,
  reply: FastifyReply,
  { owner, view }: CreatedSession,
): Promise<void> {
  if (!mayRemember(ctx, view.user.user_type)) return
  const subject = await subjectOf(ctx.db, owner)
  const mark = newMark(ctx.config, 'confirmed-browser', subject, ctx.clock.now())
  keepConfirmation(reply, ctx.config, mark, ctx.config.TWO_FACTOR_REMEMBER)
}

/** Whether this very user has confirmed a sign-in in this browser, not too long ago, and nothing has changed since. */
export async function isConfirmed(ctx: Context, user: UserWithPassword, mark: string): Promise<boolean> {
  if (!mayRemember(ctx, user.user_type)) return false
  const [now, lifetime] = [ctx.clock.now(), ctx.config.TWO_FACTOR_REMEMBER]
  const subject = await subjectOf(ctx.db, ownerOf(ctx.config, user))
  return isMarkFor(ctx.config, 'confirmed-browser', subject, { mark, now, lifetime })
}

/** For whom a second factor is demanded, it is demanded every time. */
const mayRemember = ({ config }: Context, userType: string): boolean =>
  config.TWO_FACTOR_REMEMBER > 0 && !isRequiredFor(config, userType)

/** The user, their password and their second factors: with any of them changed it is for somebody else. */
const subjectOf = async (db: Db, { id, passwordMark }: Owner): Promise<string> =>
  [id, passwordMark, await findFactorState(db, id)].join('.')
