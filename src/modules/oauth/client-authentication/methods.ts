import type { AuthenticationMethod } from './authentication-method.ts'
import { clientSecret } from './client-secret.ts'

/** Each request must use exactly one. */
export const authenticationMethods: readonly AuthenticationMethod[] = [clientSecret]
