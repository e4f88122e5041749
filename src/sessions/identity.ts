import type { Proof, SessionView } from '../context.ts'
import { iso } from '../lib/time.ts'

/**
 * Authentication methods by the names of RFC 8176. It has none for another identity provider, which does not say what it
 * asked for. A passkey is `swk`, because the service asks for no attestation that would prove hardware.
 */
const methodsOfProof: Record<Proof, readonly string[]> = {
  password: ['pwd'],
  registration: ['pwd'],
  login_token: ['otp'],
  reset: ['otp'],
  setup: ['otp'],
  social: [],
  passkey: ['swk'],
}

/** When and how the user of a session has last proved who they are. */
export const identityOf = ({ session }: Pick<SessionView, 'session'>) => ({
  authenticated_at: iso(session.proved_at),
  methods: [...methodsOfProof[session.proof], ...(session.two_factor_verified ? ['mfa'] : [])],
})
