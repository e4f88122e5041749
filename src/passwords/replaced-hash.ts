import { AppError, type ErrorCode } from '../lib/errors.ts'
import type { UserWithPassword } from '../users/queries.ts'

/**
 * The hash that was checked is no longer the user's: the password was changed, or a sign-in has just hashed it anew. Only
 * a new check can tell which.
 */
class HashReplaced extends AppError {}

const attempts = 3

/** Does again what checks a password and then acts on it, as long as the hash is replaced in between. */
export async function untilHashStays<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof HashReplaced) || attempt === attempts) throw error
    }
  }
}

/** Between check and deed the password may have been changed: then the old one opens nothing any more. */
export function assertSamePassword(present: UserWithPassword, checked: UserWithPassword, refusal: ErrorCode): void {
  if (present.password_hash !== checked.password_hash) throw new HashReplaced(refusal)
}
