export interface Mail {
  to: string
  subject: string
  text: string
  html: string
}

export interface Mailer {
  /**
   * Rejects with `MailRefused` if a retry would be useless. `id` is the Message-ID. Errors contain neither the email
   * address nor the message text.
   */
  send(mail: Mail, id: string, signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}

export class MailRefused extends Error {
  readonly permanent = true
}

/** Undefined unless `text` is a single plain email address, because other text could inject headers. */
export const mailbox = (text: string): string | undefined => (plainAddress.test(text) ? text : undefined)

const plainAddress = /^[^\s\p{Cc}"(),:;<>@[\\\]]{1,64}@[^\s\p{Cc}"(),:;<>@[\\\]]{1,255}$/u

interface MailSender {
  name: string
  address: string
  domain: string
}

export function senderOf(from: string): MailSender {
  const [, name = '', inBrackets] = /^\s*"?([^"<>\p{Cc}]*?)"?\s*<([^<>]+)>\s*$/u.exec(from) ?? []
  const address = mailbox(inBrackets ?? from.trim())
  if (!address) throw new Error('MAIL_FROM must be an address such as "Example <no-reply@example.com>"')
  return { name, address, domain: address.slice(address.lastIndexOf('@') + 1) }
}
