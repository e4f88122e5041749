import { createHmac, timingSafeEqual } from 'node:crypto'
import { checkOptions, either, kind, listOfText, type Members, object, text } from './check-options.ts'
import { WardenryError } from './errors.ts'
import type { components } from './event-types.ts'
import { type HeadersLike, headerOf } from './request.ts'

type Events = components['schemas']

export type WardenryEventType = keyof Events

/** An event of the given type or, by default, of any type. Its `type` member identifies the type. */
export type WardenryEvent<Type extends WardenryEventType = WardenryEventType> = Events[Type]

export interface SignedEvent {
  /** The body exactly as received. The signature would not match a body that was parsed and reserialized. */
  body: string | Uint8Array
  headers: HeadersLike
  /** The endpoint's secret, `whsec_…`, or its current and former secrets during a rotation. */
  secrets: string | readonly string[]
  /** The maximum difference between the signature's time and this machine's clock, in seconds. Default: 300. */
  tolerance?: number | undefined
}

const members: Members<SignedEvent> = {
  body: either(
    text,
    kind('bytes', (value) => value instanceof Uint8Array),
  ),
  headers: object,
  secrets: either(text, listOfText),
  tolerance: kind('a number of seconds', (value) => Number.isFinite(value) && (value as number) >= 0),
}

/**
 * Verifies a request that delivers an event (Standard Webhooks), and returns the event. Throws `INVALID_EVENT` if the
 * signature, the time or the body is not valid.
 */
export function verifyEvent(signed: SignedEvent): WardenryEvent {
  checkOptions('verifyEvent', signed ?? null, members)
  const { body, secrets, tolerance = 300 } = signed
  const keys = [secrets].flat().map(keyOf)
  if (keys.length === 0) throw new TypeError('Wardenry: verifyEvent needs at least one secret')
  const named = withLowerCaseNames(signed.headers)
  const id = required(named, 'webhook-id')
  const timestamp = required(named, 'webhook-timestamp')
  assertRecent(timestamp, tolerance)
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const signatures = required(named, 'webhook-signature')
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => Buffer.from(signature.slice(3), 'base64'))
  const isSigned = keys.some((key) => {
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(bytes).digest()
    return signatures.some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected))
  })
  if (!isSigned) throw invalid('no signature of the event was made with one of the secrets')
  return parsed(bytes)
}

function keyOf(secret: string): Buffer {
  const key = Buffer.from(/^whsec_([A-Za-z0-9+/]+=*)$/.exec(secret)?.[1] ?? '', 'base64')
  // With an empty key, for example from an unset variable, anyone could sign events.
  if (key.length < 16) throw new TypeError('Wardenry: the secret of an endpoint must be a value such as whsec_…')
  return key
}

/** Frameworks differ in the spelling of header names. */
const withLowerCaseNames = (headers: HeadersLike): HeadersLike =>
  typeof headers.get === 'function'
    ? headers
    : Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

function required(headers: HeadersLike, name: string): string {
  const value = headerOf(headers, name)
  if (!value) throw invalid(`the header ${name} is missing`)
  return value
}

function assertRecent(timestamp: string, tolerance: number): void {
  const age = Math.abs(Date.now() / 1000 - (/^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN))
  if (!(age <= tolerance)) throw invalid('the signature is too old or from the future')
}

function parsed(bytes: Uint8Array): WardenryEvent {
  let event: unknown
  try {
    event = JSON.parse(Buffer.from(bytes).toString())
  } catch (error) {
    throw new WardenryError('INVALID_EVENT', 'the body is not JSON', error)
  }
  if (typeof event !== 'object' || event === null || !('type' in event) || !('data' in event))
    throw invalid('the body is not an event')
  return event as WardenryEvent
}

const invalid = (reason: string): WardenryError => new WardenryError('INVALID_EVENT', reason)
