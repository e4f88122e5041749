import type { BridgeRight } from '../../db/rows/applications.ts'
import { bridgeRightNames } from '../../http/access/bridge-rights.ts'
import { isRange } from '../../lib/address.ts'
import { invalidField } from '../../lib/errors.ts'
import { readPresent } from '../../lib/read-all.ts'
import { day } from '../../lib/time.ts'
import { timeField } from '../../lib/time-field.ts'

export interface SecretInput {
  rights?: string[]
  ip_ranges?: string[]
  ends_at?: string | null
}

export const maxRanges = 20
export const defaultOverlap = day
export const maxOverlap = 7 * day

/** Throws VALIDATION_ERROR with all problems. The command line has no schema. Undefined members were not given. */
export const readSecret = (input: SecretInput, now: number) =>
  readPresent((read) => ({
    rights: read(input.rights, readRights),
    ip_ranges: read(input.ip_ranges, readRanges),
    ends_at: read(input.ends_at, (text) => readEnd(text, now)),
  }))

function readRights(given: string[]): BridgeRight[] {
  const rights = bridgeRightNames.filter((right) => given.includes(right))
  const isKnown = given.every((one) => rights.some((right) => right === one))
  if (isKnown && rights.length > 0) return rights
  throw invalidField('rights', `must contain one or more of ${bridgeRightNames.join(', ')}`)
}

function readRanges(given: string[]): string[] {
  const ranges = [...new Set(given)]
  const wrong = ranges.find((text) => !isRange(text))
  if (wrong !== undefined)
    throw invalidField('ip_ranges', `must contain networks such as 10.0.0.0/8, which ${JSON.stringify(wrong)} is not`)
  if (ranges.length > maxRanges) throw invalidField('ip_ranges', `must not contain more than ${maxRanges} networks`)
  return ranges
}

function readEnd(text: string | null, now: number): Date | null {
  const time = timeField('ends_at', text)
  if (time && time.getTime() <= now)
    throw invalidField('ends_at', 'must be in the future; to end the secret immediately, revoke it')
  return time ?? null
}

/** In milliseconds. */
export function readOverlap(seconds: number): number {
  const overlap = seconds * 1000
  if (Number.isSafeInteger(seconds) && overlap >= 0 && overlap <= maxOverlap) return overlap
  throw invalidField('overlap', `must be a number of seconds from 0 to ${maxOverlap / 1000}`)
}
