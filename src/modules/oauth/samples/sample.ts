import type { ClientType } from '../rows.ts'

/** The values that a program needs to get tokens or to check them. */
export interface SampleTerms {
  /** PUBLIC_URL. */
  issuer: string
  clientId: string
  /** Separated by spaces. */
  scope: string
  /** The identifier of the API. */
  resource: string
  isJwt: boolean
  /** Of its JWTs. */
  alg: string
  /** The first one of a client that signs users in, and its origin. Empty for others. */
  redirectUri: string
  origin: string
}

/** Prints settings or a program for one language or server. Secrets come from the environment variable CLIENT_SECRET. */
export type Sample = { [Type in ClientType]?: (terms: SampleTerms) => string }

/** A text in quotation marks, as JavaScript, Python, Go and YAML read it. */
export const quoted = (text: string): string => JSON.stringify(text)
