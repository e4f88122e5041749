import { AppError, type ErrorCode } from '../lib/errors.ts'
import type { UserWithPassword } from '../users/queries.ts'

/** The hash was replaced during the check, by a password change or by rehashing at a sign-in. The check is repeated. */
class HashReplaced extends AppError {}

const attempts = 3

/** Repeats the work if the hash has been replaced during it. */
export async function untilHashStays<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof HashReplaced) || attempt === attempts) throw error
    }
  }
}

/** The password may have been changed since the check. */
export function assertSamePassword(present: UserWithPassword, checked: UserWithPassword, refusal: ErrorCode): void {
  if (present.password_hash !== checked.password_hash) throw new HashReplaced(refusal)
}
