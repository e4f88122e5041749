import type { UserRow } from '../context.ts'
import { type RelyingParty, userHandleOf } from './relying-party.ts'

// These functions return options for navigator.credentials in the JSON form of WebAuthn level 3 (5.1.9 and 5.1.10).

/** EdDSA, ES256 and RS256, in order of preference (RFC 9053, RFC 8812). */
export const algorithms = [-8, -7, -257]

interface Ceremony {
  challenge: string
  /** In milliseconds. */
  lifetime: number
}

export interface KnownCredential {
  credential_id: Uint8Array
  transports: string[] | null
}

interface Creation extends Ceremony {
  user: PasskeyUser
  /** Prevents a second passkey on the same authenticator. */
  existing: readonly KnownCredential[]
  /** Whether discovery and user verification are required. Second factors need neither. */
  requires: 'required' | 'preferred'
  /** By default, like `requires`. Browsers create no passkey by themselves if user verification is required. */
  userVerification?: 'required' | 'preferred'
}

export type PasskeyUser = Pick<UserRow, 'id' | 'email' | 'display_name' | 'name'>

/** The name and the display name that passkey managers show (WebAuthn level 3, 5.4.3). */
export const shownNames = ({ email, display_name, name }: PasskeyUser) => ({
  name: email,
  displayName: display_name || name || email,
})

export const creationOptions = (
  party: RelyingParty,
  { user, challenge, lifetime, existing, requires, userVerification = requires }: Creation,
) => ({
  rp: { id: party.id, name: party.name },
  user: { id: userHandleOf(user), ...shownNames(user) },
  challenge,
  pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
  timeout: lifetime,
  excludeCredentials: existing.map(described),
  authenticatorSelection: {
    residentKey: requires,
    requireResidentKey: requires === 'required',
    userVerification,
  },
  attestation: 'none',
  extensions: { credProps: true },
})

interface RequestCeremony extends Ceremony {
  /** The passkeys that may be used. If empty, any passkey for this service may be used. */
  allowed: readonly KnownCredential[]
  userVerification: 'required' | 'preferred'
}

export const requestOptions = (
  party: RelyingParty,
  { challenge, lifetime, allowed, userVerification }: RequestCeremony,
) => ({
  challenge,
  timeout: lifetime,
  rpId: party.id,
  allowCredentials: allowed.map(described),
  userVerification,
})

const described = ({ credential_id, transports }: KnownCredential) => ({
  type: 'public-key' as const,
  id: Buffer.from(credential_id).toString('base64url'),
  ...(transports && { transports }),
})
