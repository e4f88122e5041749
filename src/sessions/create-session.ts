import { eventsOf } from '../audit/derive-events.ts'
import { auditRow, recordAudit } from '../audit/record.ts'
import type { Context, SessionRow, SessionView, SignInProof, Transaction, UserRow } from '../context.ts'
import { recordEvents } from '../events/record.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { AppError } from '../lib/errors.ts'
import { sha256Bytes } from '../lib/hash.ts'
import { newId, newSessionToken } from '../lib/ids.ts'
import type { Owner } from '../lib/versioned-cache.ts'
import { findBlock } from '../users/block-queries.ts'
import { lockUser, type UserWithPassword } from '../users/queries.ts'
import { applicationMembers, type Confirmation, confirmation, hasConfirmation, ownersOf } from './columns.ts'
import { endOlderSessions, endOldest } from './end-oldest.ts'
import { endReplacedSessions, lockOwners } from './end-sessions.ts'
import { type PendingStep, passkeyStep, stepsOf } from './pending-step.ts'
import { insertSession, type NewSession } from './queries.ts'
import { type DeviceOwner, deviceOwnerOf } from './remembered-browsers.ts'

/** The live, full browser session from which an application's session is created. The caller has locked its row. */
export type ParentSession = Pick<SessionRow, 'id' | 'started_at' | 'proved_at' | 'proof' | 'sign_in_method'> &
  Confirmation

/** For impersonated sessions. They have limited rights and end with the session of the superadmin who created them. */
export interface Impersonation {
  by: UserRow
  sessionId: string
  reason: string
  endsAt: Date
}

interface SignIn {
  userId: string
  proof: SignInProof
  /** Where the proof does not determine it: `email`, `sms` or the name of a provider. */
  method?: string
  device: RequestDevice
  /** A label chosen by the client. */
  deviceId?: string | undefined
  /** The tokens in the browser's cookies. The sessions with these tokens are ended. */
  replaces?: readonly string[]
  /** The token of a browser in which the second factor has been confirmed. */
  confirmation?: string | undefined
  /** Whether a partial session's token will appear in a URL. */
  inAddress?: boolean
  /** For application sessions, which inherit the parent session's sign-in method, times and second factor. */
  handover?: { id: string; parent: ParentSession; application: string; owner: Owner | undefined }
  impersonation?: Impersonation
  /** Called with the locked user. Throws if the user may not sign in. */
  check?: (user: UserWithPassword) => void
}

export interface CreatedSession {
  /** Returned only once because the database stores only its hash. */
  sessionToken: string
  view: SessionView
  /** Present for partial sessions: the methods that can complete the session. */
  pending: PendingStep | undefined
  /** The user for whom the known-browser cookie is issued. */
  owner: DeviceOwner
}

/** No other function creates sessions. Whether the session is full or partial depends on the locked user. */
export async function createSession(tx: Transaction, signIn: SignIn): Promise<CreatedSession> {
  const { proof, device, replaces = [] } = signIn
  await lockOwners(tx, replaces, signIn.userId)
  const user = await lockUser(tx, signIn.userId)
  if (!user) throw new AppError('INVALID_CREDENTIALS')
  signIn.check?.(user)
  await assertNotBlocked(tx, user, signIn)
  const { methods, isConfirmed, passkeyFirst } = await stepsOf(tx, signIn, user)
  const sessionToken = newSessionToken()
  // The token of a session that accepts a new passkey never becomes part of an address.
  const inAddress = signIn.inAddress === true && !passkeyFirst
  const row = newRow(tx, { ...signIn, inAddress }, sessionToken, methods !== undefined)
  const signedIn = {
    event: eventOf(signIn, methods !== undefined),
    actor: signIn.impersonation?.by ?? user,
    target: user.id,
    device,
    details: {
      session: row.id,
      proof,
      ...(isConfirmed && { confirmed: 'earlier' }),
      ...handoverDetails(row),
      ...reasonOf(signIn),
    },
  } as const
  const others = await insertSession(tx.db, row, auditRow(tx, signedIn))
  await recordEvents(tx, eventsOf(signedIn))
  await endReplacedSessions(tx, replaces, device)
  if (signIn.impersonation)
    return { sessionToken, view: viewOf(row, user), pending: undefined, owner: deviceOwnerOf(tx.config, user) }
  if (signIn.handover) await endOlderSessions(tx, row, device)
  else if (others >= tx.config.SESSION_MAX_PER_USER) await endOldest(tx, user, { status: row.status, device })
  const endsAt = row.created_at.getTime() + tx.config.PARTIAL_SESSION_TTL
  const step = { user, sessionId: row.id, endsAt, methods: methods ?? [], device }
  const pending = methods && (passkeyFirst ? passkeyStep(tx) : await tx.secondFactor.begin(tx, step))
  return { sessionToken, view: viewOf(row, user), pending, owner: deviceOwnerOf(tx.config, user) }
}

/** Called only after the credentials were accepted so that only their owner learns that the account is blocked. */
export async function assertNotBlocked(
  tx: Transaction,
  user: UserRow,
  { proof, device }: { proof: SignInProof | 'email_change'; device: RequestDevice },
): Promise<void> {
  const block = await findBlock(tx.db, user.id, tx.clock.date())
  if (!block) return
  const details = { reason: 'blocked', proof }
  tx.afterRollback((ctx) =>
    recordAudit(ctx, { event: 'login_fail', outcome: 'failure', target: user.id, device, details }),
  )
  throw new AppError('ACCOUNT_BLOCKED')
}

function eventOf({ handover, impersonation }: SignIn, isPartial: boolean) {
  if (impersonation) return 'impersonation_started'
  if (isPartial) return 'partial_created'
  return handover ? 'handover_redeemed' : 'login_success'
}

const reasonOf = ({ impersonation }: SignIn) => (impersonation ? { reason: impersonation.reason } : {})

const handoverDetails = (row: NewSession) =>
  row.parent_id === null ? {} : { parent: row.parent_id, ...applicationMembers(row) }

function newRow(
  ctx: Context,
  { userId, proof, method, device, deviceId, inAddress = false, handover, impersonation }: SignIn,
  sessionToken: string,
  isPartial: boolean,
): NewSession {
  const now = ctx.clock.date()
  return {
    id: handover?.id ?? newId(),
    token_hash: sha256Bytes(sessionToken),
    user_id: userId,
    status: isPartial ? 'pending' : 'active',
    // A passkey with user verification counts as both factors.
    ...confirmation(handover ? hasConfirmation(handover.parent) : proof === 'passkey'),
    created_at: now,
    started_at: earlier(handover?.parent.started_at, now),
    last_used_at: now,
    // An impersonated user has not authenticated. Back ends never treat a time in 1970 as recent.
    proved_at: impersonation ? new Date(0) : earlier(handover?.parent.proved_at, now),
    seen_in_url: isPartial && inAddress,
    ip_address: device.address,
    user_agent: device.userAgent,
    user_device: device.device,
    device_id: labelOf(deviceId),
    proof,
    sign_in_method: handover ? handover.parent.sign_in_method : (method ?? methodOfProof[proof] ?? null),
    parent_id: handover?.parent.id ?? null,
    application: handover?.application ?? null,
    application_id: handover?.owner?.id ?? null,
    application_epoch: handover?.owner?.epoch ?? null,
    impersonated_by: impersonation?.by.id ?? null,
    impersonator_session_id: impersonation?.sessionId ?? null,
    ends_at: impersonation?.endsAt ?? null,
  }
}

/** A sign-in with a recovery code or a link for the first superadmin counts as no method. */
const methodOfProof: Partial<Record<SignInProof, string>> = {
  password: 'password',
  registration: 'password',
  passkey: 'passkey',
  reset: 'email',
}

/** A node with a fast clock may pass on a future authentication time, which would count as recent for too long. */
const earlier = (inherited: Date | undefined, now: Date): Date =>
  inherited && inherited.getTime() < now.getTime() ? inherited : now

/** Returns one line of at most 128 characters, without control or direction characters. */
const labelOf = (input = ''): string | null =>
  input
    .replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, ' ')
    .trim()
    .slice(0, 128)
    .toWellFormed() || null

function viewOf(
  { token_hash: _hash, device_id: _label, impersonator_session_id: _own, application_epoch, ...session }: NewSession,
  user: UserWithPassword,
): SessionView {
  const { password_hash: _password, ...visible } = user
  const application = { id: session.application_id, epoch: application_epoch }
  return { session, user: visible as SessionView['user'], owners: ownersOf(user, application) }
}
