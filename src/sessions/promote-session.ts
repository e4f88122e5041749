import type { Context, SessionView, Transaction } from '../context.ts'
import { transact } from '../db/transact.ts'
import { recordEvents } from '../events/record.ts'
import { requiresPasskey } from '../http/access/awaits-passkey.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { AppError } from '../lib/errors.ts'
import { sha256Bytes } from '../lib/hash.ts'
import { newSessionToken } from '../lib/ids.ts'
import { type UserWithPassword, withoutPassword } from '../users/queries.ts'
import { confirmation, ownersOf } from './columns.ts'
import type { CreatedSession } from './create-session.ts'
import { endOldest } from './end-oldest.ts'
import { invalidateSessions } from './end-sessions.ts'
import { confirmPartial, promotePartial } from './partial-queries.ts'
import { restartIdle } from './queries.ts'
import { deviceOwnerOf } from './remembered-browsers.ts'

interface PartialSession {
  sessionToken: string
  session: SessionView['session']
  /** The user's row is locked until the transaction ends. */
  user: UserWithPassword
  by: 'second_factor' | 'passkey'
  device: RequestDevice
}

/**
 * Completes a partial session after the second factor has been confirmed or a passkey has been added. Unless
 * PROMOTION_ROTATE is `always`, the token changes only if it has appeared in a URL.
 */
export async function promoteSession(
  tx: Transaction,
  { sessionToken, session, user, by, device }: PartialSession,
): Promise<CreatedSession> {
  if (by === 'second_factor' && requiresPasskey(tx.config, user))
    return confirm(tx, { sessionToken, session, user, by, device })
  const now = tx.clock.now()
  const fresh = newSessionToken()
  const promoted = await promotePartial(tx.db, session.id, { now: new Date(now), by, ...promotionOf(tx, fresh) })
  if (!promoted) throw new AppError('INVALID_SESSION')
  await endOldest(tx, user, { status: 'active', device })
  await invalidateSessions(tx, user.id)
  const ofBrowser = { parent_id: null, application: null, application_id: null, impersonated: false }
  const data = { user_id: user.id, session_id: session.id, ...ofBrowser }
  await recordEvents(tx, [{ type: 'session.created', data }])
  const times = { started_at: new Date(now), last_used_at: new Date(now), proved_at: new Date(now) }
  return {
    sessionToken: promoted.has_new_value ? fresh : sessionToken,
    view: {
      session: { ...session, ...times, status: 'active', ...proofBy[by], ...confirmation(true) },
      user: withoutPassword(user),
      owners: ownersOf(user),
    },
    pending: undefined,
    owner: deviceOwnerOf(tx.config, user),
  }
}

const proofBy = { passkey: { proof: 'passkey' }, second_factor: {} } as const

const promotionOf = ({ clock, config }: Context, fresh: string) => ({
  pendingSince: new Date(clock.now() - config.PARTIAL_SESSION_TTL),
  newHash: sha256Bytes(fresh),
  replaces: config.PROMOTION_ROTATE === 'always' ? ('any' as const) : ('seen' as const),
})

/** After the second factor, the user must also add a passkey. */
async function confirm(tx: Transaction, { sessionToken, session, user }: PartialSession): Promise<CreatedSession> {
  const { PARTIAL_SESSION_TTL: lifetime } = tx.config
  const now = tx.clock.now()
  const fresh = newSessionToken()
  const confirmed = await confirmPartial(tx.db, session.id, promotionOf(tx, fresh))
  if (!confirmed) throw new AppError('INVALID_SESSION')
  await invalidateSessions(tx, user.id)
  const expiresIn = Math.max(0, Math.floor((session.created_at.getTime() + lifetime - now) / 1000))
  return {
    sessionToken: confirmed.has_new_value ? fresh : sessionToken,
    view: {
      session: { ...session, seen_in_url: false, ...confirmation(true) },
      user: withoutPassword(user),
      owners: ownersOf(user),
    },
    pending: { methods: [], sent: false, expiresIn, passkeyRequired: true },
    owner: deviceOwnerOf(tx.config, user),
  }
}

export async function refreshSession(ctx: Context, view: SessionView): Promise<SessionView> {
  const now = ctx.clock.date()
  await transact(ctx, async (tx) => {
    await invalidateSessions(tx, view.user.id)
    if (!(await restartIdle(tx.db, view.session, now))) throw new AppError('INVALID_SESSION')
  })
  return { ...view, session: { ...view.session, last_used_at: now } }
}
