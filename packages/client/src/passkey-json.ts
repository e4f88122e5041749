import type { components } from './api.ts'
import { base64url, fromBase64url } from './base64url.ts'

type Schemas = components['schemas']
export type RequestOptions = Schemas['PasskeyRequestOptions']
export type CreationOptions = Schemas['PasskeyCreationOptions']
export type PasskeyResponse = Schemas['PasskeyResponse']

/** The `PublicKeyCredential` of a browser or, with fewer members, of an extension that stores passkeys. */
export interface Credential {
  id: string
  type: string
  toJSON?(): unknown
  response: Partial<Record<BinaryMember, ArrayBuffer | null>> & { getTransports?(): string[] }
  getClientExtensionResults?(): unknown
}

const binaryMembers = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'] as const
type BinaryMember = (typeof binaryMembers)[number]

/** Converts options for browsers that cannot do so themselves (WebAuthn level 3, 5.1.9 and 5.1.10). */
export function optionsOf(given: RequestOptions | CreationOptions): object {
  const { user, allowCredentials, excludeCredentials }: Partial<RequestOptions & CreationOptions> = given
  return {
    ...given,
    challenge: fromBase64url(given.challenge),
    ...(user && { user: { ...user, id: fromBase64url(user.id) } }),
    ...(allowCredentials && { allowCredentials: allowCredentials.map(withBytes) }),
    ...(excludeCredentials && { excludeCredentials: excludeCredentials.map(withBytes) }),
  }
}

const withBytes = <Descriptor extends { id: string }>(descriptor: Descriptor) => ({
  ...descriptor,
  id: fromBase64url(descriptor.id),
})

/** The credentials of some extensions have no `toJSON`, or inherit one that throws because it accepts only real ones. */
export function responseOf(credential: Credential): PasskeyResponse {
  try {
    if (credential.toJSON) return credential.toJSON() as PasskeyResponse
  } catch {
    // The members can be read.
  }
  const { id, type, response } = credential
  const binary = binaryMembers.flatMap((name) => {
    const value = response[name]
    return value ? [[name, base64url(new Uint8Array(value))]] : []
  })
  const transports = response.getTransports?.()
  return {
    id,
    rawId: id,
    type,
    response: { ...Object.fromEntries(binary), ...(transports && { transports }) },
    clientExtensionResults: credential.getClientExtensionResults?.() ?? {},
  } as PasskeyResponse
}
