import { hash } from 'node:crypto'
import { recordAudit } from '../audit/record.ts'
import type { Application, Context, RequestDevice, Transaction } from '../context.ts'
import { transact } from '../db/transact.ts'
import { findReturnAddress, isReturnAddressOf, rejectionOf } from '../http/responses/redirects.ts'
import { acceptsMethod } from '../http/responses/sign-in-rules.ts'
import { AppError } from '../lib/errors.ts'
import { sha256Bytes } from '../lib/hash.ts'
import { newId } from '../lib/ids.ts'
import type { Owner } from '../lib/versioned-cache.ts'
import { type CreatedSession, createSession } from '../sessions/create-session.ts'
import { endSessionOf } from '../sessions/end-sessions.ts'
import { lockSession } from '../sessions/queries.ts'
import { stateOf } from '../sessions/session.ts'
import { lockUser } from '../users/queries.ts'
import { applicationOf, serializedReturnTo } from './issue-code.ts'
import { consumeCode, type FoundCode, findCode, findEnabledApplication, type PresentedCode } from './queries.ts'

interface RedeemInput {
  code: string
  codeVerifier: string
  returnTo: string
  device: RequestDevice
  /** The application whose secret was sent. Undefined for a secret of the settings. */
  caller?: Application | undefined
}

type RedeemRejection =
  | 'unknown'
  | 'parent_ended'
  | 'return_to'
  | 'code_verifier'
  | 'used'
  | 'withdrawn'
  | 'expired'
  | 'other_application'
  | 'sign_in_method'
type Outcome =
  | { created: CreatedSession; application: { id: string; key: string } | undefined }
  | { rejection: RedeemRejection; userId?: string }

/** Throws INVALID_CODE for every failure. */
export async function consumeHandoverCode(ctx: Context, input: RedeemInput): Promise<CreatedSession> {
  const presented: PresentedCode = {
    codeHash: sha256Bytes(input.code),
    codeChallenge: hash('sha256', input.codeVerifier, 'base64url'),
    returnTo: serializedReturnTo(input.returnTo),
  }
  const outcome = await transact(ctx, (tx) => consume(tx, presented, input))
  if ('created' in outcome) {
    ctx.metrics.handedOver(outcome.application?.key)
    if (outcome.application) ctx.usage.counterOf('application', outcome.application.id).count += 1
    return outcome.created
  }
  const { rejection, userId } = outcome
  const details = {
    reason: rejection,
    ...(URL.canParse(input.returnTo) && {
      ...rejectedBy(ctx, input.returnTo),
      application: applicationOf(input.returnTo),
    }),
  }
  const entry = { event: 'handover_rejected', outcome: 'failure', target: userId, device: input.device } as const
  await recordAudit(ctx, { ...entry, details })
  throw new AppError('INVALID_CODE')
}

function rejectedBy(ctx: Context, returnTo: string) {
  const { page, application_id } = rejectionOf(ctx, returnTo)
  return { page, ...(application_id !== undefined && { application_id }) }
}

/** Locks the user, then the browser session, so that ending the browser session also ends the new session. */
async function consume(tx: Transaction, presented: PresentedCode, { device, caller }: RedeemInput): Promise<Outcome> {
  const code = await findCode(tx.db, presented.codeHash)
  if (!code) return { rejection: 'unknown' }
  const user = await lockUser(tx, code.user_id)
  const parent = await lockSession(tx.db, code.session_id)
  const refused = (rejection: RedeemRejection) => ({ rejection, userId: code.user_id })
  if (!user || !parent) return refused('parent_ended')
  if (parent.status !== 'active' || stateOf(tx.config, parent, user.user_type, tx.clock.now()) !== 'live')
    return refused('parent_ended')
  const target = code.used_at ? undefined : await targetOf(tx, code)
  if (!code.used_at && !target) return refused('return_to')
  if (caller && code.application_id !== caller.id && !isReturnAddressOf(tx, caller, code.return_to))
    return refused('other_application')
  if (target?.signInMethods && !acceptsMethod({ signInMethods: target.signInMethods }, parent.sign_in_method))
    return refused('sign_in_method')
  const childSessionId = newId()
  const isMine = await consumeCode(tx.db, presented, { now: tx.clock.date(), childSessionId })
  if (!isMine) return refused(await whyNot(tx, presented, device))
  const created = await createSession(tx, {
    userId: user.id,
    proof: parent.proof,
    device: browserOf(code, device),
    handover: { id: childSessionId, parent, application: applicationOf(code.return_to), owner: target?.owner },
  })
  const { key, owner } = target ?? {}
  return { created, application: key && owner ? { key, id: owner.id } : undefined }
}

interface Target {
  /** Undefined for an address in the settings, as is the key. */
  owner?: Owner
  key?: string
  signInMethods?: readonly string[]
}

/** Undefined if the application has been disabled since the code was issued, even for a moment. */
async function targetOf(tx: Transaction, code: FoundCode): Promise<Target | undefined> {
  const address = findReturnAddress(tx, code.return_to)
  const { id, key } = address?.application ?? {}
  if (!address || (code.application_id && code.application_id !== id)) return undefined
  if (id === undefined || key === undefined) return {}
  const application = await findEnabledApplication(tx.db, id)
  if (!application) return undefined
  const isEarlier = code.application_id !== null && Number(code.application_epoch) < application.sessions_from_epoch
  return isEarlier
    ? undefined
    : { key, owner: { id, epoch: application.epoch }, signInMethods: application.sign_in_methods }
}

/** The session records the user's browser, not the back end sending the request. */
const browserOf = ({ ip_address, user_agent, user_device }: FoundCode, device: RequestDevice): RequestDevice => ({
  ...device,
  address: ip_address,
  userAgent: user_agent,
  device: user_device,
})

/**
 * A code that is used twice may have been stolen, so the session created from it is ended. A request with a wrong
 * return address or PKCE verifier does not end the session.
 */
async function whyNot(tx: Transaction, presented: PresentedCode, device: RequestDevice): Promise<RedeemRejection> {
  const code = await findCode(tx.db, presented.codeHash)
  if (!code) return 'unknown'
  if (code.return_to !== presented.returnTo) return 'return_to'
  if (code.code_challenge !== presented.codeChallenge) return 'code_verifier'
  if (!code.used_at) return 'expired'
  if (!code.child_session_id) return 'withdrawn'
  await endSessionOf(tx, code.user_id, code.child_session_id, { reason: 'code_reused', device })
  return 'used'
}
