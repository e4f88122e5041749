/** `to` is an E.164 number. */
export interface Sms {
  to: string
  text: string
}

export interface SmsSender {
  /** False when no sender is set up: features that need one answer NOT_CONFIGURED. */
  readonly isConfigured: boolean
  /**
   * Hands the message over, or rejects; `id` lets the receiver drop a repetition. A rejection that no retry can mend
   * is an `SmsRefused`. No error carries a number or a text.
   */
  send(sms: Sms, id: string): Promise<void>
}

export class SmsRefused extends Error {
  readonly permanent = true
}
