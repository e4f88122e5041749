import { assertSupported, createPasskey, page, usePasskey } from './authenticator.ts'
import { type Autofill, canAutofill, type SignInChallenge, startAutofill } from './autofill.ts'
import type { Call } from './call.ts'
import { callable, checkOptions, type Members, object, text } from './check-options.ts'
import { WardenryError } from './error.ts'
import type { CreationOptions } from './passkey-json.ts'
import type { NewRecoveryCodes, RequiredPasskey, SignedIn, SignedInWithCodes } from './sign-in.ts'
import { signalPasskeys } from './signal-passkeys.ts'

export interface PasskeySignIn {
  /** The name under which the session is listed. */
  deviceId?: string | undefined
  /** Closes the browser's dialog. The promise then rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

export interface PasskeyAutofill {
  /** Called once, after the sign-in. Autofill has then ended. */
  onSignIn(result: SignedIn): unknown
  /**
   * Called if a passkey is rejected or the service returns no challenge. Passkeys are offered again within four minutes,
   * or as soon as the dialog of `signInWithPasskey` is closed.
   */
  onError?: ((error: WardenryError) => unknown) | undefined
  /** Ends autofill, for example when the form is removed. */
  signal?: AbortSignal | undefined
  /** The name under which the session is listed. */
  deviceId?: string | undefined
}

export interface PasskeyRegistration {
  /** Seconds until the code expires. */
  expiresIn: number
  /**
   * Creates the passkey and the account, and signs the user in. If the code is wrong, rejects with `INVALID_CODE`.
   * Can be called again with the same code if the browser did not create the passkey.
   */
  complete(proof: RegistrationProof): Promise<SignedInWithCodes>
}

export interface AddedPasskey extends NewRecoveryCodes {
  id: string
}

export interface RegistrationProof {
  /** The code from the email. */
  code: string
  name?: string | undefined
  lastName?: string | undefined
  /** The name under which the session is listed. */
  deviceId?: string | undefined
  signal?: AbortSignal | undefined
}

export interface NewPasskey extends RequiredPasskey {
  /** Required if the user has not signed in recently. Otherwise, rejects with `REAUTH_REQUIRED`. */
  currentPassword?: string | undefined
}

/**
 * Errors of the browser are `WardenryError`s with the status 0: `PASSKEY_CANCELLED`, `PASSKEY_EXISTS`,
 * `PASSKEY_NOT_SUPPORTED` and, for all others, `PASSKEY_FAILED`.
 */
export interface PasskeyFunctions {
  /**
   * Signs in with a passkey that the user chooses in the browser's dialog. Autofill pauses while the dialog is open.
   * Rejects with `INVALID_CREDENTIALS` if the service does not accept the passkey.
   */
  signInWithPasskey(options?: PasskeySignIn): Promise<SignedIn>
  /**
   * Offers passkeys in the field with `autocomplete="username webauthn"`. Returns whether the browser supports this.
   * Replaces earlier autofill of this client, and ends when a user signs in.
   */
  autofillPasskey(options: PasskeyAutofill): Promise<boolean>
  /**
   * Sends a code to a new user's address. `complete` then creates the account, which has a passkey instead of a
   * password. If the address belongs to a user, the result is the same, and the user receives another email.
   */
  registerWithPasskey(options: { email: string }): Promise<PasskeyRegistration>
  /** Adds a passkey to the signed-in user's account. Rejects with `PASSKEY_EXISTS` if the device already has one. */
  addPasskey(options?: NewPasskey): Promise<AddedPasskey>
  /** Call this after a change of passkeys or names, so that the browser forgets removed passkeys and knows the name. */
  signalPasskeys(): Promise<void>
}

interface Service {
  get: Call<'get'>
  post: Call<'post'>
  signedIn(response: object): SignedIn
}

const signal = object
const signInMembers: Members<PasskeySignIn> = { deviceId: text, signal }
const autofillMembers: Members<PasskeyAutofill> = { onSignIn: callable, onError: callable, signal, deviceId: text }
const registrationMembers: Members<{ email: string }> = { email: text }
const proofMembers: Members<RegistrationProof> = { code: text, name: text, lastName: text, deviceId: text, signal }
const requiredPasskeyMembers: Members<RequiredPasskey> = { name: text, signal }
const newPasskeyMembers: Members<NewPasskey> = { ...requiredPasskeyMembers, currentPassword: text }

/** In milliseconds. A password manager that does not respond must not delay the sign-in. */
const longestSignal = 1_000

interface InternalFunctions {
  endAutofill(): void
  /** Adds a passkey in the session of a sign-in that requires one. `post` sends this session. */
  addRequired(post: Call<'post'>, options?: RequiredPasskey): Promise<SignedInWithCodes>
}

export function passkeyFunctions(service: Service): PasskeyFunctions & InternalFunctions {
  let autofill: Autofill | undefined

  const begin = (): Promise<SignInChallenge> => service.post('/auth/passkey/login/options')

  async function finish(
    { challenge_id, options }: SignInChallenge,
    { deviceId, ...ceremony }: PasskeySignIn & { mediation?: 'conditional' },
  ): Promise<SignedIn> {
    const response = await usePasskey(options, ceremony)
    try {
      const body = { challenge_id, response, ...(deviceId !== undefined && { device_id: deviceId }) }
      const result = service.signedIn(await service.post('/auth/passkey/login', { body }))
      await signalBriefly()
      return result
    } catch (error) {
      if (error instanceof WardenryError && error.unknownCredential)
        await page.PublicKeyCredential?.signalUnknownCredential?.({
          rpId: options.rpId,
          credentialId: response.id,
        }).catch(() => {})
      throw error
    }
  }

  const signal = () => signalPasskeys(() => service.get('/auth/passkeys'))

  async function signalBriefly(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, longestSignal)
    })
    // The user is signed in, whatever the password manager does.
    await Promise.race([late, signal().catch(() => {})])
    clearTimeout(timer)
  }

  /** Browsers show one dialog at a time, and count autofill as one. */
  async function withoutAutofill<Result>(operate: () => Promise<Result>): Promise<Result> {
    const paused = autofill
    paused?.pause()
    try {
      return await operate()
    } finally {
      // Has no effect after a sign-in, which ends autofill.
      paused?.resume()
    }
  }

  return {
    endAutofill: () => autofill?.end(),
    async addRequired(post, options = {}) {
      checkOptions('addPasskey', options, requiredPasskeyMembers)
      assertSupported()
      return withoutAutofill(() => complete({ ...service, post }, options))
    },
    signalPasskeys: signal,
    async signInWithPasskey(options = {}) {
      checkOptions('signInWithPasskey', options, signInMembers)
      assertSupported()
      options.signal?.throwIfAborted()
      return withoutAutofill(async () => finish(await begin(), options))
    },
    async autofillPasskey(options) {
      checkOptions('autofillPasskey', options ?? null, autofillMembers)
      const { onSignIn, onError, signal, deviceId } = options
      if (typeof onSignIn !== 'function') throw new TypeError('autofillPasskey: onSignIn must be a function')
      if (signal?.aborted || !(await canAutofill()) || signal?.aborted) return false
      autofill?.end()
      const own = startAutofill<SignedIn>({
        begin,
        finish: (challenge, ceremony) => finish(challenge, { ...ceremony, deviceId }),
        onSignIn,
        onError,
      })
      autofill = own
      signal?.addEventListener('abort', () => own.end(), { once: true })
      return true
    },
    async registerWithPasskey(options) {
      checkOptions('registerWithPasskey', options ?? null, registrationMembers)
      assertSupported()
      const { registration_id, expires_in } = await service.post('/auth/register/passkey/code', {
        body: { email: options.email },
      })
      return {
        expiresIn: expires_in,
        async complete(proof) {
          checkOptions('complete', proof ?? null, proofMembers)
          return withoutAutofill(() => register(service, registration_id, proof))
        },
      }
    },
    async addPasskey(options = {}) {
      checkOptions('addPasskey', options, newPasskeyMembers)
      assertSupported()
      return withoutAutofill(() => add(service, options))
    },
  }
}

async function register(
  service: Service,
  registration_id: string,
  proof: RegistrationProof,
): Promise<SignedInWithCodes> {
  const { code, name, lastName, deviceId, signal } = proof
  signal?.throwIfAborted()
  const { options } = await service.post('/auth/register/passkey/options', { body: { registration_id, code } })
  const response = await createPasskey(options, { signal })
  const body = { registration_id, response, name, last_name: lastName, device_id: deviceId }
  const reply = await service.post('/auth/register/passkey', { body: present(body) })
  return { ...service.signedIn(reply), recoveryCodes: reply.recovery_codes }
}

async function add(service: Service, { name, currentPassword, signal }: NewPasskey): Promise<AddedPasskey> {
  signal?.throwIfAborted()
  const { options } = await service.post('/auth/passkeys/options', {
    body: present({ action: 'add' as const, current_password: currentPassword }),
  })
  const response = await createPasskey(options as CreationOptions, { signal })
  const { id, recovery_codes } = await service.post('/auth/passkeys', { body: present({ response, name }) })
  return { id, recoveryCodes: recovery_codes }
}

async function complete(service: Service, { name, signal }: RequiredPasskey): Promise<SignedInWithCodes> {
  signal?.throwIfAborted()
  const { options } = await service.post('/auth/recovery/passkeys/options')
  const response = await createPasskey(options, { signal })
  const reply = await service.post('/auth/recovery/passkeys', { body: present({ response, name }) })
  return { ...service.signedIn(reply), recoveryCodes: reply.recovery_codes }
}

type Present<Body> = { [Name in keyof Body]: Exclude<Body[Name], undefined> }

/** JSON has no undefined members. */
const present = <Body extends object>(body: Body) => body as Present<Body>
