export type { components, operations, paths } from './api.ts'
export { supportsPasskeys } from './authenticator.ts'
export type { Call, InitOf, Method, PathsWith, ResponseOf } from './call.ts'
export { type ClientOptions, createClient, type SessionStore, type WardenryClient } from './client.ts'
export { type ErrorCode, type FieldProblem, WardenryError } from './error.ts'
export { finishHandover, type Handover, type HandoverCode, startHandover } from './handover.ts'
export type {
  AddedPasskey,
  NewPasskey,
  PasskeyAutofill,
  PasskeyRegistration,
  PasskeySignIn,
  RegistrationProof,
} from './passkeys.ts'
export type { SessionChange } from './session-changes.ts'
export type {
  Credentials,
  NewRecoveryCodes,
  PasskeyRequired,
  RequiredPasskey,
  SecondFactor,
  SecondFactorProof,
  SecondFactorRequired,
  SignedIn,
  SignedInWithCodes,
  SignInResult,
  StartedSecondFactor,
  User,
} from './sign-in.ts'
export { type SignInUrlOptions, signInUrl } from './sign-in-url.ts'
