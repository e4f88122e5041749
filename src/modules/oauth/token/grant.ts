import type { Context, RequestDevice } from '../../../context.ts'
import type { Client } from '../clients/client-view.ts'
import type { IssuedToken } from './issue-access-token.ts'
import type { TokenInput } from './schemas.ts'

/** A way in which clients get tokens (RFC 6749, 4). */
export interface Grant {
  readonly type: string
  issue(ctx: Context, client: Client, input: TokenInput, device: RequestDevice): Promise<IssuedToken>
}
