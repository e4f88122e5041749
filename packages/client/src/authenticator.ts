import { type PasskeyErrorCode, WardenryError } from './error.ts'
import {
  type CreationOptions,
  type Credential,
  optionsOf,
  type PasskeyResponse,
  type RequestOptions,
  responseOf,
} from './passkey-json.ts'

type Signal<Members> = (members: Members) => Promise<void>

/** The members of the browser's `PublicKeyCredential`. Older browsers lack some of them. */
interface PasskeySupport {
  parseRequestOptionsFromJSON?(options: RequestOptions): object
  parseCreationOptionsFromJSON?(options: CreationOptions): object
  isConditionalMediationAvailable?(): Promise<boolean>
  signalUnknownCredential?: Signal<{ rpId: string; credentialId: string }>
  signalAllAcceptedCredentials?: Signal<{ rpId: string; userId: string; allAcceptedCredentialIds: string[] }>
  signalCurrentUserDetails?: Signal<{ rpId: string; userId: string; name: string; displayName: string }>
}

interface Ceremony {
  signal?: AbortSignal | undefined
  mediation?: 'conditional'
}

type Operation = (options: { publicKey: object } & Ceremony) => Promise<Credential | null>

/** Missing members belong to Node.js, React Native, old browsers, and pages without HTTPS. */
export const page = globalThis as {
  PublicKeyCredential?: PasskeySupport
  navigator?: { credentials?: { get: Operation; create: Operation } }
  location?: { hostname: string }
}

/** Whether this environment has passkeys. If not, hide your buttons for them. */
export const supportsPasskeys = (): boolean =>
  page.PublicKeyCredential !== undefined && page.navigator?.credentials !== undefined

export function assertSupported(): void {
  if (!supportsPasskeys()) throw failure('PASSKEY_NOT_SUPPORTED', 'Passkeys are not available in this environment')
}

export const usePasskey = (options: RequestOptions, ceremony: Ceremony): Promise<PasskeyResponse> =>
  operate('get', page.PublicKeyCredential?.parseRequestOptionsFromJSON?.(options) ?? optionsOf(options), ceremony)

export const createPasskey = (options: CreationOptions, ceremony: Ceremony): Promise<PasskeyResponse> =>
  operate('create', page.PublicKeyCredential?.parseCreationOptionsFromJSON?.(options) ?? optionsOf(options), ceremony)

async function operate(name: 'get' | 'create', publicKey: object, ceremony: Ceremony): Promise<PasskeyResponse> {
  const { signal, mediation } = ceremony
  const credential = await page
    .navigator!.credentials![name]({ publicKey, ...(signal && { signal }), ...(mediation && { mediation }) })
    .catch((cause) => {
      signal?.throwIfAborted()
      throw failureOf(cause)
    })
  signal?.throwIfAborted()
  if (!credential) throw failure('PASSKEY_CANCELLED', sentences.PASSKEY_CANCELLED)
  return responseOf(credential)
}

const sentences = {
  PASSKEY_CANCELLED: 'The passkey was not used: the request was cancelled or took too long',
  PASSKEY_EXISTS: 'This device or password manager already has a passkey for the account',
  PASSKEY_NOT_SUPPORTED: 'This page, browser or device does not support the passkey',
  PASSKEY_FAILED: 'The passkey could not be used',
}

/** The names of the browser's errors (WebAuthn level 3, 5.1.3 and 5.1.4). */
const codes: Readonly<Record<string, PasskeyErrorCode>> = {
  NotAllowedError: 'PASSKEY_CANCELLED',
  AbortError: 'PASSKEY_CANCELLED',
  InvalidStateError: 'PASSKEY_EXISTS',
  NotSupportedError: 'PASSKEY_NOT_SUPPORTED',
  SecurityError: 'PASSKEY_NOT_SUPPORTED',
  ConstraintError: 'PASSKEY_NOT_SUPPORTED',
}

function failureOf(cause: unknown): WardenryError {
  const code = codes[String((cause as Error | undefined)?.name)] ?? 'PASSKEY_FAILED'
  return failure(code, sentences[code], cause)
}

const failure = (code: PasskeyErrorCode, sentence: string, cause?: unknown): WardenryError =>
  new WardenryError(sentence, { code, status: 0, cause })
