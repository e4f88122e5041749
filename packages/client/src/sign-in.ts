import type { components } from './api.ts'
import { checkOptions, flag, type Members, object, text } from './check-options.ts'

type Schemas = components['schemas']
export type User = Schemas['User']
export type SecondFactor = Schemas['SecondFactor']

export interface SignedIn {
  status: 'signed_in'
  user: User
  /** The time at which the session expires unless it is used before then. */
  expiresAt: string
}

export type SecondFactorProof = OneOf<
  | { code: string; methodId?: string; rememberDevice?: boolean }
  | { response: Schemas['PasskeyResponse']; methodId?: string; rememberDevice?: boolean }
>

export interface SecondFactorRequired {
  status: 'second_factor_required'
  /** The user's second factors. */
  methods: SecondFactor[]
  /**
   * Sends a code by email or text message, or returns the options for a passkey. Not needed for authenticator apps and
   * recovery codes.
   */
  start(factor: SecondFactor): Promise<StartedSecondFactor>
  /** Completes the sign-in. If the code is wrong, rejects with `INVALID_CODE` and sets `attemptsRemaining`. */
  verify(proof: SecondFactorProof): Promise<SignedIn | PasskeyRequired>
}

/** The user must have a passkey. The client does not keep the session, which accepts only a new passkey. */
export interface PasskeyRequired {
  status: 'passkey_required'
  /**
   * Creates the passkey and completes the sign-in. Rejects with `FORBIDDEN` if the user already has a passkey, and must
   * sign in with it (`signInWithPasskey`).
   */
  addPasskey(options?: RequiredPasskey): Promise<SignedInWithCodes>
}

export interface RequiredPasskey {
  /** By default, the name of the authenticator. */
  name?: string | undefined
  signal?: AbortSignal | undefined
}

export interface NewRecoveryCodes {
  /**
   * Recovery codes for an account without a password. Show them to the user now: they cannot be read again. Undefined if
   * the user has codes or needs none.
   */
  recoveryCodes: string[] | undefined
}

export type SignedInWithCodes = SignedIn & NewRecoveryCodes

export type SignInResult = SignedIn | SecondFactorRequired | PasskeyRequired

/** A password, a token from an emailed link, or a code sent by email or text message. */
export type Credentials = OneOf<
  | { email: string; password: string; deviceId?: string }
  | { userName: string; password: string; deviceId?: string }
  | { token: string; deviceId?: string }
  | { tokenId: string; code: string; deviceId?: string }
>

export interface StartedSecondFactor {
  /** The passkey options for `navigator.credentials.get`. */
  options?: unknown
}

type NameIn<Union> = Union extends unknown ? keyof Union : never

/** Exactly one alternative of the union. A plain union accepts an object with members of several alternatives. */
type OneOf<Union, Name extends PropertyKey = NameIn<Union>> = Union extends unknown
  ? Union & { [Other in Exclude<Name, keyof Union>]?: never }
  : never

/** All members of a union, each of which may be absent. */
type AllMembers<Union> = Members<{ [Name in NameIn<Union>]: unknown }>

const credentialsMembers: AllMembers<Credentials> = {
  email: text,
  userName: text,
  password: text,
  token: text,
  tokenId: text,
  code: text,
  deviceId: text,
}

const alternatives = [['email', 'password'], ['userName', 'password'], ['token'], ['tokenId', 'code']]

/**
 * Throws a TypeError unless the credentials are exactly one complete alternative. Given only an email address, for
 * example because a form has no value for the password, the service would send a sign-in link.
 */
export function assertCredentials(credentials: Credentials): void {
  checkOptions('signIn', credentials ?? null, credentialsMembers)
  const given: Readonly<Record<string, unknown>> = credentials
  const names = Object.keys(credentialsMembers).filter((name) => name !== 'deviceId')
  const isComplete = alternatives.some((all) =>
    names.every((name) => (given[name] !== undefined) === all.includes(name)),
  )
  if (!isComplete) throw new TypeError('signIn: pass password with email or userName, token, or tokenId with code')
}

export const proofMembers: AllMembers<SecondFactorProof> = {
  code: text,
  response: object,
  methodId: text,
  rememberDevice: flag,
}

export function credentialsBody({ deviceId, userName, tokenId, ...rest }: Credentials) {
  return { ...rest, user_name: userName, token_id: tokenId, device_id: deviceId }
}

export function proofBody({ methodId, rememberDevice, ...proof }: SecondFactorProof) {
  return { ...proof, method_id: methodId, remember_device: rememberDevice }
}
