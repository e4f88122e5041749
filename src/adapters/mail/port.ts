/** A rendered mail to one stored address. */
export interface Mail {
  to: string
  subject: string
  text: string
  html: string
}

export interface Mailer {
  /**
   * Hands the mail over, or rejects. A rejection that no retry can mend (the recipient is refused for good) is a
   * `MailRefused`; `id` becomes the Message-ID, so that a receiver can recognise a mail that arrives twice. No error
   * carries an address, a text or what the server wrote. `signal` breaks off what may take long.
   */
  send(mail: Mail, id: string, signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}

export class MailRefused extends Error {
  readonly permanent = true
}
