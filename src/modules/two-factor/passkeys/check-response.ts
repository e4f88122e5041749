import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { AttestationObject } from '@simplewebauthn/server/helpers'
import { algorithms } from './options.ts'
import type { RelyingParty } from './relying-party.ts'
import type { PasskeyResponse } from './schemas.ts'

/** Loaded with the first passkey: most processes never see one. */
const library = () => import('@simplewebauthn/server')
const libraryHelpers = () => import('@simplewebauthn/server/helpers')

/** An answer is on its way: what reads it need not be loaded while it waits. */
export function warmUp(): void {
  // Whoever reads the answer meets the same error.
  Promise.all([library(), libraryHelpers()]).catch(() => {})
}

export interface MadePasskey {
  credential_id: Buffer
  public_key: Buffer
  sign_count: number
  transports: string[]
  aaguid: string
  backed_up: boolean
}

/** The new passkey that a response brings; undefined when anything about it is not as it was asked for. */
export async function readRegistration(
  party: RelyingParty,
  response: PasskeyResponse,
): Promise<MadePasskey | undefined> {
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
      requireUserVerification: false,
      supportedAlgorithmIDs: algorithms,
    })
    if (!registrationInfo) return undefined
    const { credential, aaguid, credentialBackedUp } = registrationInfo
    return {
      credential_id: Buffer.from(credential.id, 'base64url'),
      public_key: Buffer.from(credential.publicKey),
      sign_count: credential.counter,
      transports: response.response.transports ?? [],
      aaguid,
      backed_up: credentialBackedUp,
    }
  } catch {
    return undefined
  }
}

/**
 * Nothing is asked about the make of an authenticator, so nobody's certificates are read: a caller's could name
 * addresses to fetch. What remains is no statement, or one by the new key itself.
 */
function isOwn(attestation: AttestationObject): boolean {
  const format = attestation.get('fmt')
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
}

export interface Assertion {
  sign_count: number
  backed_up: boolean
}

interface Demand {
  publicKey: Uint8Array
  /** Whether the authenticator must have verified its user, by finger, face or PIN. */
  userVerification: 'required' | 'preferred'
}

/**
 * What a response proves about a passkey; undefined when its signature, place, or user verification is not what was
 * asked for. Whether its challenge is ours and unspent, and whether the count moved on, is for the database to say.
 */
export async function readAssertion(
  party: RelyingParty,
  response: PasskeyResponse,
  { publicKey, userVerification }: Demand,
): Promise<Assertion | undefined> {
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
    return { sign_count: authenticationInfo.newCounter, backed_up: authenticationInfo.credentialBackedUp }
  } catch {
    return undefined
  }
}

/** The challenge that a response answers; undefined as well for what comes out of a frame in somebody else's page. */
export function challengeIn({ response }: PasskeyResponse): string | undefined {
  try {
    const said: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8'))
    const { challenge, crossOrigin } = (said ?? {}) as { challenge?: unknown; crossOrigin?: unknown }
    return typeof challenge === 'string' && crossOrigin !== true ? challenge : undefined
  } catch {
    return undefined
  }
}
