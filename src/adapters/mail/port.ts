export interface Mail {
  to: string
  subject: string
  text: string
  html: string
}

export interface Mailer {
  /** False in production if SMTP_URL is not set. No email is then delivered. */
  readonly isConfigured: boolean
  /**
   * Rejects with `MailRejected` if retrying is pointless. `id` is the part of the Message-ID before the @. Errors
   * contain neither the email address nor the message text.
   */
  send(mail: Mail, id: string, signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}

export class MailRejected extends Error {
  readonly permanent = true
}
