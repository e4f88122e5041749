/** `to` is in E.164 format. */
export interface Sms {
  to: string
  text: string
}

export interface SmsSender {
  /** If false, features that need text messages return NOT_CONFIGURED. */
  readonly isConfigured: boolean
  /**
   * Rejects with `SmsRejected` if retrying is pointless. The receiver can detect duplicates by `id`. Errors contain
   * neither the number nor the message text.
   */
  send(sms: Sms, id: string): Promise<void>
}

export class SmsRejected extends Error {
  readonly permanent = true
}
