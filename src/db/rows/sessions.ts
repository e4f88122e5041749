import type { Generated } from 'kysely'

export type SignInProof =
  | 'password'
  | 'login_token'
  | 'social'
  | 'passkey'
  | 'registration'
  | 'reset'
  | 'setup'
  | 'recovery'
  | 'impersonation'

export type SessionStatus = 'pending' | 'active' | 'revoked' | 'expired'

export interface SessionsTable {
  id: string
  token_hash: Buffer
  user_id: string
  status: SessionStatus
  two_factor_verified: Generated<boolean>
  created_at: Date
  started_at: Date
  last_used_at: Date
  proved_at: Date
  passkey_proved_at: Date | null
  seen_in_url: Generated<boolean>
  wrong_codes: Generated<number>
  ip_address: Generated<string>
  user_agent: Generated<string>
  user_device: Generated<string>
  device_id: string | null
  ended_at: Date | null
  end_reason: string | null
  proof: Generated<SignInProof>
  /** `password`, `passkey`, `email`, `sms` or the name of a provider. Null if the sign-in counts as none of them. */
  sign_in_method: string | null
  /** For application sessions: the browser session. When it ends, so does this session. */
  parent_id: string | null
  /** For application sessions: the origin or app scheme. */
  application: string | null
  /** For sessions of stored applications. */
  application_id: string | null
  /** The application's epoch at the creation of the session. */
  application_epoch: number | null
  /** For impersonated sessions: the superadmin acting as the user. */
  impersonated_by: string | null
  /** For impersonated sessions: the superadmin's own session. When it ends, so does this session. */
  impersonator_session_id: string | null
  /** For impersonated sessions: the time at which the session ends, regardless of use. */
  ends_at: Date | null
}

export interface HandoverCodesTable {
  id: string
  code_hash: Buffer
  session_id: string
  return_to: string
  application_id: string | null
  application_epoch: number | null
  code_challenge: string
  ip_address: string
  user_agent: string
  user_device: string
  created_at: Date
  expires_at: Date
  used_at: Date | null
  child_session_id: string | null
}
