import { AppError } from './errors.ts'

interface Versioned {
  updated_at: Date
}

/** Null if the client expects that no version exists. Undefined if the client states no expectation. */
export type ExpectedVersion = Date | null | undefined

/** Prevents a client from overwriting a newer version than the one it read. `stored` must be locked. */
export function assertUnchanged(stored: Versioned | undefined, expected: ExpectedVersion): void {
  if (expected === undefined) return
  if (stored?.updated_at.getTime() !== expected?.getTime()) throw new AppError('EDIT_CONFLICT')
}

/** Two versions must never have the same time, even if they are saved within one millisecond. */
export const laterThan = ({ updated_at }: Versioned, now: Date): Date =>
  new Date(Math.max(now.getTime(), updated_at.getTime() + 1))
