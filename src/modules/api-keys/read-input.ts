import type { Config } from '../../config/load.ts'
import { isRange } from '../../lib/address.ts'
import { invalidField } from '../../lib/errors.ts'
import { readPresent } from '../../lib/read-all.ts'
import { day } from '../../lib/time.ts'
import { timeField } from '../../lib/time-field.ts'
import { visibleNameField } from '../../users/visible-name.ts'
import { readScopes } from './scopes.ts'

export const maxName = 80
export const maxDescription = 300
export const maxRanges = 20
export const maxOverlap = 7 * day
export const maxOwners = 3

export interface KeyInput {
  name?: string
  scopes?: string[]
  ip_ranges?: string[]
  /** Null: the key does not end. */
  ends_at?: string | null
}

type Limits = Pick<Config, 'API_KEY_ALLOW_ENDLESS' | 'API_KEY_MAX_TTL'>

/** Throws VALIDATION_ERROR with all problems. The command line has no schema. */
export const readKey = (config: Limits, input: KeyInput, now: number) =>
  readPresent((read) => ({
    name: read(input.name, readName),
    scopes: read(input.scopes, readScopes),
    ip_ranges: read(input.ip_ranges, readRanges),
    ends_at: read(input.ends_at, (text) => readEnd(config, text, now)),
  }))

export const readName = (text: string): string => visibleNameField('name', text, maxName)

function readRanges(given: string[]): string[] {
  const ranges = [...new Set(given)]
  const wrong = ranges.find((text) => !isRange(text))
  if (wrong !== undefined)
    throw invalidField('ip_ranges', `must contain networks such as 10.0.0.0/8, which ${JSON.stringify(wrong)} is not`)
  if (ranges.length > maxRanges) throw invalidField('ip_ranges', `must not contain more than ${maxRanges} networks`)
  return ranges
}

function readEnd({ API_KEY_ALLOW_ENDLESS, API_KEY_MAX_TTL }: Limits, text: string | null, now: number): Date | null {
  const time = timeField('ends_at', text) ?? null
  if (time === null && !API_KEY_ALLOW_ENDLESS) throw invalidField('ends_at', 'is required')
  if (time && time.getTime() <= now) throw invalidField('ends_at', 'must be in the future')
  if (time && time.getTime() > now + API_KEY_MAX_TTL)
    throw invalidField('ends_at', `must be within the next ${API_KEY_MAX_TTL / day} days`)
  return time
}

/** Returns the time until which the replaced key works. */
export function readKeyOverlap(config: Pick<Config, 'API_KEY_OVERLAP'>, text: string | undefined, now: number): Date {
  const time = timeField('overlap_until', text) ?? new Date(now + config.API_KEY_OVERLAP)
  if (time.getTime() > now + maxOverlap) throw invalidField('overlap_until', 'must be within the next 7 days')
  return time.getTime() < now ? new Date(now) : time
}

/** The end of a key without one in the request: as long after now as the former one after its creation. */
export function renewedEnd({ API_KEY_ALLOW_ENDLESS, API_KEY_MAX_TTL }: Limits, former: Former, now: number) {
  if (former.ends_at === null && API_KEY_ALLOW_ENDLESS) return null
  const lifetime = former.ends_at === null ? API_KEY_MAX_TTL : former.ends_at.getTime() - former.created_at.getTime()
  return new Date(now + Math.min(lifetime, API_KEY_MAX_TTL))
}

interface Former {
  created_at: Date
  ends_at: Date | null
}
