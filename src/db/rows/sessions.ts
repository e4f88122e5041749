import type { Generated } from 'kysely'

/** How a person has proved who they are. */
export type Proof = 'password' | 'login_token' | 'social' | 'passkey' | 'registration' | 'reset' | 'setup'

export type SessionStatus = 'pending' | 'active' | 'revoked' | 'expired'

export interface Sessions {
  id: string
  token_hash: string
  user_id: string
  status: SessionStatus
  two_factor_verified: Generated<boolean>
  created_at: Date
  started_at: Date
  last_used_at: Date
  proved_at: Date
  seen_in_address: Generated<boolean>
  /** Wrong codes that a partial session was shown. */
  wrong_codes: Generated<number>
  ip_address: Generated<string>
  user_agent: Generated<string>
  user_device: Generated<string>
  device_id: string | null
  ended_at: Date | null
  end_reason: string | null
  proof: Generated<Proof>
}
