import { recordAudit } from '../../audit/record.ts'
import { isListed } from '../../config/user-types.ts'
import type { Context, SecondFactor, Transaction, UserRow } from '../../context.ts'
import { newId } from '../../lib/ids.ts'
import { isConfirmedBrowser } from './confirmed-browser.ts'
import { methodOf } from './methods/index.ts'
import type { FactorRequest } from './methods/method.ts'
import {
  deleteMethodsOf,
  deletePendingMethods,
  insertMethod,
  type MethodRow,
  readdress,
  touchFactorState,
} from './queries.ts'
import { activeOf, isRequiredOf, shownMethod, userMethodsOf } from './user-methods.ts'
import { reauthenticateWithFactor } from './verify.ts'

export const secondFactor = (ctx: Context): SecondFactor => ({
  async requiredMethods(db, user, proof) {
    // A passkey with user verification counts as two factors.
    if (proof === 'passkey') return undefined
    if (!isRequiredOf(ctx.config, user)) return undefined
    return activeOf(await userMethodsOf({ ...ctx, db }, user.id)).map(shownMethod)
  },
  methodsOf: async (db, userId) => activeOf(await userMethodsOf({ ...ctx, db }, userId)).map(shownMethod),
  isConfirmed: (db, user, shown) => isConfirmedBrowser({ ...ctx, db }, user, shown),
  isRequiredOf: (user) => isRequiredOf(ctx.config, user),
  // True for sessions that began before a second factor became mandatory for the user type.
  lacksConfirmation: ({ session, user }, config = ctx.config) =>
    !session.two_factor_verified && isListed(config, config.TWO_FACTOR_REQUIRED_FOR, user.user_type),
  async begin(tx, { user, sessionId, endsAt, device }) {
    const factorRequest: FactorRequest = { user, sessionId, confirmed: false, action: 'login', endsAt, device }
    const present = activeOf(await userMethodsOf(tx, user.id))
    const rows = present.length > 0 ? present : [await addOwnAddress(tx, user, factorRequest)]
    const [first] = rows
    const { sent } = first ? await methodOf(first.method).start(tx, first, factorRequest) : { sent: false }
    const expiresIn = Math.max(0, Math.floor((endsAt - ctx.clock.now()) / 1000))
    return { methods: rows.map(shownMethod), sent, expiresIn }
  },
  reauthenticate: (view, proof, device) => reauthenticateWithFactor(ctx, view, proof, device),
  followAddress: readdress,
  removeAll: (db, userId) => deleteMethodsOf(db, userId),
  forgetBrowsers: touchFactorState,
})

/** Users who need a second factor but have no method receive codes by email so that they are not locked out. */
async function addOwnAddress(tx: Transaction, user: UserRow, { device }: FactorRequest): Promise<MethodRow> {
  const row = {
    id: newId(),
    user_id: user.id,
    method: 'email' as const,
    identifier: user.email,
    status: 'active' as const,
    secret: null,
    metadata: {},
    created_at: tx.clock.date(),
  }
  await deletePendingMethods(tx.db, user.id, 'email', user.email)
  await insertMethod(tx.db, row)
  const details = { method: 'email', id: row.id, reason: 'required' }
  await recordAudit(tx, { event: 'mfa_enrolled', target: user.id, device, details })
  return { ...row, last_used_at: null }
}
