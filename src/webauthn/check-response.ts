import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { AttestationObject } from '@simplewebauthn/server/helpers'
import type { Tables } from '../db/tables.ts'
import { algorithms } from './options.ts'
import type { RelyingParty } from './relying-party.ts'
import type { PasskeyResponse } from './schemas.ts'

/** The library is loaded on first use because most processes never need it. */
const library = () => import('@simplewebauthn/server')
const libraryHelpers = () => import('@simplewebauthn/server/helpers')

/** Loads the libraries while the user operates the authenticator. */
export function warmUp(): void {
  // Errors are ignored here. If loading fails, the error is reported when the response is read.
  Promise.all([library(), libraryHelpers()]).catch(() => {})
}

export type CreatedPasskey = Pick<
  Tables['passkeys'],
  'credential_id' | 'public_key' | 'sign_count' | 'transports' | 'aaguid' | 'discoverable' | 'uv_seen' | 'be' | 'bs'
>

/**
 * `verified`: the authenticator must have verified the user. `present`: the user must have been present. `conditional`:
 * the browser created the passkey without asking the user (WebAuthn level 3, 5.1.3), so nobody has to be present, and
 * the passkey does not count as verified before it is used.
 */
export type CreationDemand = 'verified' | 'present' | 'conditional'

/** Returns undefined if the response is invalid. The caller must consume the challenge. */
export async function readRegistration(
  party: RelyingParty,
  response: PasskeyResponse,
  demand: CreationDemand,
): Promise<CreatedPasskey | undefined> {
  const challenge = challengeIn(response)
  const { attestationObject } = response.response
  if (challenge === undefined || attestationObject === undefined) return undefined
  const [{ verifyRegistrationResponse }, helpers] = await Promise.all([library(), libraryHelpers()])
  try {
    const attestation = helpers.decodeAttestationObject(helpers.isoBase64URL.toBuffer(attestationObject))
    if (!isOwn(attestation)) return undefined
    const { registrationInfo } = await verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origins,
      expectedRPID: party.id,
      requireUserPresence: demand !== 'conditional',
      requireUserVerification: demand === 'verified',
      supportedAlgorithmIDs: algorithms,
    })
    if (!registrationInfo) return undefined
    const { credential, aaguid, userVerified, credentialDeviceType, credentialBackedUp } = registrationInfo
    return {
      credential_id: Buffer.from(credential.id, 'base64url'),
      public_key: Buffer.from(credential.publicKey),
      sign_count: credential.counter,
      transports: response.response.transports ?? [],
      aaguid,
      // If a discoverable credential was required, browsers do not create another kind.
      discoverable: demand !== 'present' || response.clientExtensionResults?.credProps?.rk === true,
      uv_seen: demand !== 'conditional' && userVerified,
      be: credentialDeviceType === 'multiDevice',
      bs: credentialBackedUp,
    }
  } catch {
    return undefined
  }
}

/** Accepts only self attestation or no attestation, because certificates could make the service fetch URLs. */
function isOwn(attestation: AttestationObject): boolean {
  const format = attestation.get('fmt')
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
}

export interface PasskeyAssertion {
  sign_count: number
  uv: boolean
  be: boolean
  bs: boolean
}

interface ResponseRequirements {
  publicKey: Uint8Array
  userVerification: 'required' | 'preferred'
}

/**
 * Returns undefined if the signature, origin or user verification is invalid. The challenge and the counter are checked
 * in the database.
 */
export async function readAssertion(
  party: RelyingParty,
  response: PasskeyResponse,
  { publicKey, userVerification }: ResponseRequirements,
): Promise<PasskeyAssertion | undefined> {
  const challenge = challengeIn(response)
  if (challenge === undefined) return undefined
  const { verifyAuthenticationResponse } = await library()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origins,
      expectedRPID: party.id,
      credential: { id: response.id, publicKey: new Uint8Array(publicKey), counter: 0 },
      requireUserVerification: userVerification === 'required',
    })
    if (!verified) return undefined
    const { newCounter, userVerified, credentialDeviceType, credentialBackedUp } = authenticationInfo
    return {
      sign_count: newCounter,
      uv: userVerified,
      be: credentialDeviceType === 'multiDevice',
      bs: credentialBackedUp,
    }
  } catch {
    return undefined
  }
}

/** Returns undefined for invalid data and for responses from cross-origin frames. */
export function challengeIn({ response }: PasskeyResponse): string | undefined {
  try {
    const said: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8'))
    const { challenge, crossOrigin } = (said ?? {}) as { challenge?: unknown; crossOrigin?: unknown }
    return typeof challenge === 'string' && (crossOrigin === undefined || crossOrigin === false) ? challenge : undefined
  } catch {
    return undefined
  }
}
