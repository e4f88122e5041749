import { authorizationCode } from './authorization-code.ts'
import { clientCredentials } from './client-credentials.ts'
import type { Grant } from './grant.ts'
import { refreshTokenGrant } from './refresh-token.ts'

export const grants: readonly Grant[] = [clientCredentials, authorizationCode, refreshTokenGrant]
