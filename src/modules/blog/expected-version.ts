import { AppError } from '../../lib/errors.ts'
import { zonedTimeField } from './read-members.ts'

interface Versioned {
  updated_at: Date
}

/** Null if the client expects that no version exists. Undefined if the client expects nothing. */
export type ExpectedVersion = Date | null | undefined

/** Reads `expected_updated_at`, which is the `updated_at` value of the version that the client read. */
export function readExpected(text: string | null | undefined): ExpectedVersion {
  if (text === null) return null
  return text ? zonedTimeField('expected_updated_at', text) : undefined
}

/** Prevents a client from overwriting a newer version than the one it read. `stored` must be locked. */
export function assertUnchanged(stored: Versioned | undefined, expected: ExpectedVersion): void {
  if (expected === undefined) return
  if (stored?.updated_at.getTime() !== expected?.getTime()) throw new AppError('EDIT_CONFLICT')
}

/** Two versions must never have the same time, even if they are saved within one millisecond. */
export const laterThan = ({ updated_at }: Versioned, now: Date): Date =>
  new Date(Math.max(now.getTime(), updated_at.getTime() + 1))
