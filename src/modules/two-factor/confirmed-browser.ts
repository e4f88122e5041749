import type { FastifyReply } from 'fastify'
import { isListed } from '../../config/user-types.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/tables.ts'
import type { CreatedSession } from '../../sessions/create-session.ts'
import {
  type DeviceOwner,
  deviceOwnerOf,
  issueBrowserToken,
  setConfirmedBrowserCookie,
  verifyBrowserToken,
} from '../../sessions/remembered-browsers.ts'
import type { UserWithPassword } from '../../users/queries.ts'
import { findFactorState } from './queries.ts'

export async function rememberBrowser(
  ctx: Context,
  reply: FastifyReply,
  { owner, view }: CreatedSession,
): Promise<void> {
  if (!mayRemember(ctx, view.user.user_type)) return
  const subject = await subjectOf(ctx.db, owner)
  const mark = issueBrowserToken(ctx.config, 'confirmed-browser', subject, ctx.clock.now())
  setConfirmedBrowserCookie(reply, ctx.config, mark, ctx.config.TWO_FACTOR_REMEMBER)
}

export async function isConfirmedBrowser(ctx: Context, user: UserWithPassword, mark: string): Promise<boolean> {
  if (!mayRemember(ctx, user.user_type)) return false
  const [now, lifetime] = [ctx.clock.now(), ctx.config.TWO_FACTOR_REMEMBER]
  const subject = await subjectOf(ctx.db, deviceOwnerOf(ctx.config, user))
  return verifyBrowserToken(ctx.config, 'confirmed-browser', subject, { mark, now, lifetime })
}

/** Browsers are never remembered for user types that require a second factor. */
const mayRemember = ({ config }: Context, userType: string): boolean =>
  config.TWO_FACTOR_REMEMBER > 0 && !isListed(config, config.TWO_FACTOR_REQUIRED_FOR, userType)

/** The subject changes with the password and the second factors. A change invalidates remembered browsers' tokens. */
const subjectOf = async (db: Db, { id, passwordMark }: DeviceOwner): Promise<string> =>
  [id, passwordMark, await findFactorState(db, id)].join('.')
