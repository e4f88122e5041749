import type { Config } from '../../config/load.ts'
import { equalSecrets, keyedHash } from '../../lib/hash.ts'
import { hour } from '../../lib/time.ts'

/**
 * A sign-in that began with an address to return to. The browser keeps it, signed, from the first page to the last;
 * addresses and forms carry its id alone, so that several tabs do not disturb each other.
 */
export interface Flow {
  id: string
  /** In milliseconds of the clock. */
  startedAt: number
  /** Already found to be allowed. Absent: to where every sign-in leads. */
  returnTo?: string | undefined
  /** Returned to the application unchanged. */
  state?: string | undefined
  /** With it, the application gets a code (PKCE, S256). */
  codeChallenge?: string | undefined
  /** The session must have been proven at this time or later. */
  provenSince?: number | undefined
  /** In milliseconds: how old the proof may be at the return. */
  maxAge?: number | undefined
  /** Shows no page: the application gets an error instead. */
  silent?: true | undefined
  /** Fills in who signs in. */
  loginHint?: string | undefined
}

export const flowLifetime = hour

/** A cookie above this size is not kept by every browser. */
export const maxFlowSize = 3500

const idForm = /^[A-Za-z0-9_-]{12}$/

export const looksLikeFlowId = (value: unknown): value is string => typeof value === 'string' && idForm.test(value)

export function encodeFlow({ AUTH_SECRET }: Config, { id, ...content }: Flow): string {
  const payload = Buffer.from(JSON.stringify(content)).toString('base64url')
  return `${payload}.${signature(AUTH_SECRET, id, payload)}`
}

/** Undefined for what we did not sign, for another id, and after its lifetime. */
export function decodeFlow({ AUTH_SECRET }: Config, id: string, value: string, now: number): Flow | undefined {
  const [payload = '', mac = ''] = value.split('.')
  if (!equalSecrets(mac, signature(AUTH_SECRET, id, payload))) return undefined
  const flow: Flow = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), id }
  return now - flow.startedAt < flowLifetime ? flow : undefined
}

const signature = (key: string, id: string, payload: string): string =>
  keyedHash(key, 'sign-in-flow', `${id}.${payload}`)

/** Where the application is that the flow leads to. Undefined for a page of this service. */
export function applicationAddress({ PUBLIC_URL }: Config, flow: Flow | undefined): string | undefined {
  const { returnTo } = flow ?? {}
  return returnTo && new URL(returnTo).origin !== new URL(PUBLIC_URL).origin ? returnTo : undefined
}

/**
 * The same, for an application that can be told of a cancelled sign-in: one that keeps track of its sign-ins. A gateway
 * does not, and would send the browser back here at once.
 */
export const cancelAddress = (config: Config, flow: Flow | undefined): string | undefined =>
  flow?.state !== undefined || flow?.codeChallenge !== undefined ? applicationAddress(config, flow) : undefined

/** A page of ours within a flow. */
export const inFlow = (path: string, id: string | undefined): string =>
  id === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}flow=${id}`
