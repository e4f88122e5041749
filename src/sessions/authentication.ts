import type { SessionView, SignInProof } from '../context.ts'
import { iso } from '../lib/time.ts'
import { hasConfirmation } from './confirmation.ts'

/** RFC 8176 defines no method for identity providers. Passkeys are `swk`, because hardware is not attested. */
const methodsOfProof: Record<SignInProof, readonly string[]> = {
  password: ['pwd'],
  registration: ['pwd'],
  login_token: ['otp'],
  reset: ['otp'],
  setup: ['otp'],
  social: [],
  passkey: ['swk'],
}

export const authenticationOf = ({ session }: Pick<SessionView, 'session'>) => ({
  authenticated_at: iso(session.proved_at),
  methods: [...methodsOfProof[session.proof], ...(hasConfirmation(session) ? ['mfa'] : [])],
})
