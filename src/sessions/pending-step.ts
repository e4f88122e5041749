import type { Context, SecondFactorMethod, SignInProof, Transaction } from '../context.ts'
import { requiresPasskey } from '../http/access/awaits-passkey.ts'
import type { UserWithPassword } from '../users/queries.ts'

/** What completes a partial session. */
export interface PendingStep {
  methods: SecondFactorMethod[]
  sent: boolean
  expiresIn: number
  /** The user must add a passkey, and needs no second factor or has confirmed it. */
  passkeyRequired?: true
}

interface Steps {
  /** Undefined if the session is full. */
  methods: SecondFactorMethod[] | undefined
  /** Whether the browser has skipped the second factor. */
  isConfirmed: boolean
  /** Whether only a new passkey completes the session. */
  passkeyFirst: boolean
}

interface SignInToCheck {
  proof: SignInProof
  /** The token of a browser in which the second factor has been confirmed. */
  confirmation?: string | undefined
  handover?: object
  impersonation?: object
}

/** Sessions of applications and of superadmins who act as a user derive from full sessions. */
export async function stepsOf(tx: Transaction, signIn: SignInToCheck, user: UserWithPassword): Promise<Steps> {
  const { proof, confirmation, handover, impersonation } = signIn
  const full = { methods: undefined, isConfirmed: false, passkeyFirst: false }
  if (handover || impersonation) return full
  if (proof === 'recovery') return { ...full, methods: [], passkeyFirst: true }
  const requested = await tx.secondFactor.requiredMethods(tx.db, user, proof)
  if (proof !== 'passkey' && requiresPasskey(tx.config, user)) {
    // A browser that skips the second factor must not replace it with a passkey.
    return requested ? { ...full, methods: requested } : { ...full, methods: [], passkeyFirst: true }
  }
  const isConfirmed =
    requested !== undefined &&
    confirmation !== undefined &&
    (await tx.secondFactor.isConfirmed(tx.db, user, confirmation))
  return { ...full, methods: isConfirmed ? undefined : requested, isConfirmed }
}

export const passkeyStep = ({ config }: Context): PendingStep => ({
  methods: [],
  sent: false,
  expiresIn: config.PARTIAL_SESSION_TTL / 1000,
  passkeyRequired: true,
})
