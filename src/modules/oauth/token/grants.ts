import { clientCredentials } from './client-credentials.ts'
import type { Grant } from './grant.ts'

export const grants: readonly Grant[] = [clientCredentials]
