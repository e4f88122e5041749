import type { ValidatedCredential } from './credential.ts'
import type { Permitted } from './require-user.ts'
import type { CheckedRule } from './rule.ts'
import type { User } from './session.ts'

/** Set by `requireUser` of a framework. */
export interface HandlerMembers {
  /** Undefined for the key of a service account. */
  user: User | undefined
  /** Only with `kinds` in the rule. */
  credential?: ValidatedCredential
}

export const handlerMembers = (rule: CheckedRule, permitted: Permitted): HandlerMembers => ({
  user: permitted.user ?? undefined,
  ...(rule.kinds && { credential: permitted as ValidatedCredential }),
})
