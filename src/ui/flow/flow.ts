import type { Config } from '../../config/load.ts'
import { equalSecrets, keyedHash } from '../../lib/hash.ts'
import { hour } from '../../lib/time.ts'

/** Stored in a signed cookie. URLs and forms contain the flow's id, so that each tab can have its own flow. */
export interface SignInFlow {
  id: string
  /** In milliseconds since the Unix epoch. */
  startedAt: number
  /** An allowed return address. Undefined selects the default destination. */
  returnTo?: string
  /** Returned unchanged to the application. */
  state?: string
  /** If set, the application receives a code that is bound to this challenge (PKCE, S256). */
  codeChallenge?: string
  /** The earliest accepted time of the last authentication, in milliseconds since the Unix epoch. */
  provenSince?: number
  /** The maximum age of the authentication when the user returns to the application, in milliseconds. */
  maxAge?: number
  /** Set for `prompt=none`. Instead of showing a page, the service then returns an error. */
  silent?: true
  loginHint?: string
  /** The OAuth client that waits for the user. `returnTo` is then a page of this service that continues its request. */
  client?: WaitingClient
}

export interface WaitingClient {
  /** The origin or scheme to which its page sends the user in the end, such as `https://example.com` or `com.example:/`. */
  address: string
  /** The key of its application. */
  application: string
}

export const flowLifetime = hour

/** The maximum length of the cookie. Browsers may discard larger cookies. */
export const maxFlowSize = 3500

const idForm = /^[A-Za-z0-9_-]{12}$/

export const looksLikeFlowId = (value: unknown): value is string => typeof value === 'string' && idForm.test(value)

export function encodeFlow({ AUTH_SECRET }: Config, { id, ...content }: SignInFlow): string {
  const payload = Buffer.from(JSON.stringify(content)).toString('base64url')
  return `${payload}.${signature(AUTH_SECRET, id, payload)}`
}

/** Returns undefined if the signature or the id is invalid, or if the flow has expired. */
export function decodeFlow({ AUTH_SECRET }: Config, id: string, value: string, now: number): SignInFlow | undefined {
  const [payload = '', mac = ''] = value.split('.')
  if (!equalSecrets(mac, signature(AUTH_SECRET, id, payload))) return undefined
  const flow: SignInFlow = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), id }
  return now - flow.startedAt < flowLifetime ? flow : undefined
}

const signature = (key: string, id: string, payload: string): string =>
  keyedHash(key, 'sign-in-flow', `${id}.${payload}`)

/** The address of the application to which the flow leads. Undefined for this service's pages. */
export function applicationAddress({ PUBLIC_URL }: Config, flow: SignInFlow | undefined): string | undefined {
  const { returnTo, client } = flow ?? {}
  if (client) return client.address
  return returnTo && new URL(returnTo).origin !== new URL(PUBLIC_URL).origin ? returnTo : undefined
}

/**
 * Only applications that send `state` or a code challenge handle a cancellation. Gateways would repeat the sign-in. OAuth
 * clients learn of it from the page that continues their request.
 */
export const cancelAddress = (config: Config, flow: SignInFlow | undefined): string | undefined =>
  flow?.client ? flow.returnTo : signInCancelAddress(config, flow)

const signInCancelAddress = (config: Config, flow: SignInFlow | undefined): string | undefined =>
  flow?.state !== undefined || flow?.codeChallenge !== undefined ? applicationAddress(config, flow) : undefined

export const inFlow = (path: string, id: string | undefined): string =>
  id === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}flow=${id}`
