export interface PasskeysTable {
  id: string
  user_id: string
  created_at: Date
  last_used_at: Date | null
  sign_count: number
  /** Whether the authenticator can offer the passkey without knowing the account. */
  discoverable: boolean
  /** Whether the authenticator has verified the user at least once. */
  uv_seen: boolean
  /** Backup eligibility and backup state (WebAuthn level 3, 6.1.3). */
  be: boolean
  bs: boolean
  credential_id: Buffer
  /** In COSE format. */
  public_key: Buffer
  transports: string[] | null
  aaguid: string
  name: string
  created_via: 'settings' | 'registration' | 'upgrade' | 'recovery'
}

export interface PasskeyOffersTable {
  user_id: string
  offered_at: Date
}

export interface RecoveryCodesTable {
  id: string
  user_id: string
  code_hash: Buffer
  used_at: Date | null
  created_at: Date
}
