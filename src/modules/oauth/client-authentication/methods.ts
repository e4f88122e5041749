import type { AuthenticationMethod } from './authentication-method.ts'
import { clientSecret } from './client-secret.ts'
import { publicClient } from './public-client.ts'

/** Each request must use exactly one. */
export const authenticationMethods: readonly AuthenticationMethod[] = [clientSecret, publicClient]
