import type { Mailer } from './port.ts'

export interface MailLog {
  warn(details: { mail_id: string }, sentence: string): void
}

/** For production without SMTP_URL, so it logs neither content nor recipient. */
export const createLogMailer = (log: MailLog): Mailer => ({
  async send(_mail, id) {
    log.warn({ mail_id: id }, 'mail not sent: SMTP_URL is not set')
  },
  async close() {},
})
