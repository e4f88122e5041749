import type { Grant } from './grant.ts'
import { issueMachineToken } from './issue-access-token.ts'

/** RFC 6749, 4.4. */
export const clientCredentials: Grant = {
  type: 'client_credentials',
  issue: (ctx, client, { scope, resource }) => issueMachineToken(ctx, client, { scope, resource }),
}
