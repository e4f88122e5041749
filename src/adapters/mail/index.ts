import type { Inbox } from '../inbox/inbox.ts'
import type { SmtpError } from '../metrics/port.ts'
import type { Mailer } from './port.ts'
import { createSmtpMailer } from './smtp.ts'

export interface MailOptions {
  smtpUrl: string | undefined
  from: () => string
  inbox: Inbox | undefined
  log: MailLog
  onSmtpError?: (outcome: SmtpError) => void
}

export async function createMailer({ smtpUrl, from, inbox, log, onSmtpError }: MailOptions): Promise<Mailer> {
  if (smtpUrl) return createSmtpMailer({ url: smtpUrl, from, onError: onSmtpError })
  return inbox ? createInboxMailer(inbox) : createLogMailer(log)
}

const createInboxMailer = (inbox: Inbox): Mailer => ({
  isConfigured: true,
  async send(mail, id) {
    inbox.add({ id, channel: 'mail', ...mail })
  },
  async close() {},
})

interface MailLog {
  warn(details: { mail_id: string }, sentence: string): void
}

/** Used in production if SMTP_URL is not set, so it logs neither the content nor the recipient. */
const createLogMailer = (log: MailLog): Mailer => ({
  isConfigured: false,
  async send(_mail, id) {
    log.warn({ mail_id: id }, 'mail not sent: SMTP_URL is not set')
  },
  async close() {},
})
