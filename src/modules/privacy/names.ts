import { day } from '../../lib/time.ts'

export const privacyMails = {
  personal_data: { variables: ['url', 'expires_in'], lifetime: day },
  deletion_requested: ['scheduled_for', 'deletion_url'],
  deletion_cancelled: [],
} as const

type Mails = typeof privacyMails

declare module '../../outbox/messages.ts' {
  interface ModuleMessages extends Mails {}
}

declare module '../../audit/events.ts' {
  interface ModuleAuditEvents {
    consent_changed: true
    deletion_requested: true
    deletion_cancelled: true
  }
}

declare module '../../one-time-tokens/queries.ts' {
  interface ModuleTokenPurposes {
    personal_data: true
  }
}
