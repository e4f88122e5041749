import { recordAudit } from '../../audit/record.ts'
import type { Context, RequestDevice, SessionView, Transaction, UserRow } from '../../context.ts'
import type { RequestAuth } from '../../http/access/auth.ts'
import { AppError } from '../../lib/errors.ts'
import type { CreatedSession } from '../../sessions/create-session.ts'
import { invalidateSessions } from '../../sessions/end-sessions.ts'
import { promoteSession } from '../../sessions/promote-session.ts'
import { noteFactorProof } from '../../sessions/queries.ts'
import type { SignInDevice } from '../../sessions/remembered-browsers.ts'
import { notifyNewDevice } from '../../sessions/remembered-browsers.ts'
import { activate } from './change-protection.ts'
import { factorActionFor } from './factor-action.ts'
import { grantSeconds, issueGrant } from './grants.ts'
import type { FactorAction, WantedAction } from './methods/method.ts'
import { notePromotion, type ProvenFactor, proveFactor } from './prove.ts'
import type { MethodKind } from './queries.ts'
import type { ChosenProof } from './user-methods.ts'

interface Request extends ChosenProof {
  action?: WantedAction | undefined
}

export interface FactorVerification {
  action: FactorAction
  method: MethodKind
  user: UserRow
  /** Present if the partial session has become a full session. */
  created?: CreatedSession
  members?: Record<string, unknown>
}

export async function verifyFactor(
  ctx: Context,
  auth: RequestAuth,
  { action: wanted, ...proof }: Request,
  from: SignInDevice,
) {
  const action = await factorActionFor(ctx, auth, wanted, from.device)
  return proveFactor(
    ctx,
    { view: auth, action, proof, device: from.device },
    async (tx, proven): Promise<FactorVerification> => {
      const effect = await effects[action](tx, proven, { auth, from, proof })
      return { action, method: proven.row.method, user: proven.user, ...effect }
    },
  )
}

interface Caller {
  auth: RequestAuth
  from: SignInDevice
  proof: ChosenProof
}

type Effect = (tx: Transaction, proven: ProvenFactor, caller: Caller) => Promise<Partial<FactorVerification>>

const giveGrant: Effect = async (tx, { row, factorRequest }) => {
  await issueGrant(tx, row, factorRequest)
  return { members: { verification_valid_for: grantSeconds } }
}

const effects: Record<FactorAction, Effect> = {
  login: async (tx, { user, factorRequest }, { auth, from, proof }) => {
    const { sessionToken, session } = auth
    const created = await promoteSession(tx, { sessionToken, session, user, by: 'second_factor', device: from.device })
    await notePromotion(tx, factorRequest, proof)
    await notifyNewDevice(tx, created, { device: from.device, known: from.isKnown(user) })
    return { created }
  },
  reauth: async (tx, proven) => {
    await renewProof(tx, proven)
    return {}
  },
  setup: async (tx, { row, rows, factorRequest }) => {
    const { user, recoveryCodes } = await activate(tx, row, { factorRequest, rows })
    const codes = recoveryCodes && { recovery_codes: recoveryCodes }
    return { user, members: { method_id: row.id, status: 'active', ...codes } }
  },
  remove: giveGrant,
  toggle: giveGrant,
}

export const reauthenticateWithFactor = (
  ctx: Context,
  view: SessionView,
  proof: ChosenProof,
  device: RequestDevice,
): Promise<void> => proveFactor(ctx, { view, action: 'reauth', proof, device }, (tx, proven) => renewProof(tx, proven))

async function renewProof(tx: Transaction, { user, factorRequest }: ProvenFactor): Promise<void> {
  const { sessionId, device } = factorRequest
  if (!(await noteFactorProof(tx.db, sessionId, tx.clock.date()))) throw new AppError('INVALID_SESSION')
  await invalidateSessions(tx, user.id)
  await recordAudit(tx, { event: 'reauth_success', actor: user, target: user.id, device })
}
