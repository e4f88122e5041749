export type PrivacyEventSource = 'self' | 'admin' | 'service'

export type PrivacyEvent =
  | 'gdpr_consent_given'
  | 'gdpr_consent_withdrawn'
  | 'ccpa_opted_out'
  | 'ccpa_opted_in'
  | 'region_changed'
  | 'export_made'
  | 'deletion_requested'
  | 'deletion_cancelled'

export interface UserPrivacyEventsTable {
  id: string
  user_id: string | null
  /** Links one user's events after the user is erased, without identifying the user. */
  subject_hash: Buffer
  event: PrivacyEvent
  old_value: string | null
  new_value: string | null
  version: string | null
  source: PrivacyEventSource
  ip_address: string | null
  user_agent: string | null
  created_at: Date
}

export interface UserDeletionRequestsTable {
  id: string
  user_id: string
  status: 'pending' | 'cancelled'
  reason: string | null
  requested_at: Date
  scheduled_for: Date
  cancelled_at: Date | null
}

export interface UserPrivacyExportsTable {
  id: string
  user_id: string
  status: 'pending' | 'ready'
  /** The archive is encrypted. */
  archive: string | null
  requested_at: Date
  expires_at: Date
}

declare module '../../db/tables.ts' {
  interface Tables {
    user_privacy_events: UserPrivacyEventsTable
    user_deletion_requests: UserDeletionRequestsTable
    user_privacy_exports: UserPrivacyExportsTable
  }
}
