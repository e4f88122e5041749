import type { Owner } from '../../../lib/versioned-cache.ts'
import type { ClientType } from '../rows.ts'

/** A client as nodes keep it in memory. */
export interface Client {
  /** Of the row. */
  readonly id: string
  readonly clientId: string
  readonly name: string
  readonly type: ClientType
  readonly application: { id: string; key: string }
  readonly epoch: number
  /** Tokens of an earlier epoch have ended. */
  readonly tokensFromEpoch: number
  readonly grantTypes: readonly string[]
  /** For a machine, those that its service account has as well. */
  readonly scopes: readonly string[]
  /** Ids. */
  readonly resources: readonly string[]
  /** In milliseconds. Null: that of the resource. */
  readonly accessTtl: number | null
  readonly account: { id: string; name: string } | null
  /** Tokens end no later than the account, in milliseconds since 1970. */
  readonly endsAt: number | null
  /** The SHA-256 of each secret in hex, and its end. */
  readonly secrets: readonly { id: string; hash: string; expiresAt: number | null }[]
  /** Whether the client, its application and its service account are enabled. */
  readonly isLive: boolean
  readonly owners: readonly Owner[]
}
