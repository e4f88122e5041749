export { can } from './can.ts'
export { createWardenry, type Wardenry } from './create-wardenry.ts'
export type {
  BearerSource,
  BearerUse,
  CredentialKind,
  SessionCredential,
  ValidatedBearer,
  ValidatedCredential,
  ValidatedKey,
  ValidatedToken,
} from './credential.ts'
export type { EndUser } from './end-user.ts'
export { WardenryError, type WardenryErrorCode } from './errors.ts'
export type { Paths, WardenryOptions } from './options.ts'
export type { HandoverCode } from './redeem.ts'
export type { HeadersLike, RequestLike } from './request.ts'
export type { CredentialOptions, CredentialRule, Rule } from './rule.ts'
export { type NodeResponse, sendResponse } from './send-response.ts'
export type { SessionSource, User, ValidatedSession } from './session.ts'
export type { SignInOptions } from './sign-in.ts'
export type { SignOutOptions } from './sign-out.ts'
export { type SignedEvent, verifyEvent, type WardenryEvent, type WardenryEventType } from './verify-event.ts'
