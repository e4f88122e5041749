import type { Inbox } from '../inbox/inbox.ts'
import { createInboxMailer } from './inbox.ts'
import { createLogMailer, type MailLog } from './log.ts'
import type { Mailer } from './port.ts'
import { createSmtpMailer } from './smtp.ts'

export interface MailOptions {
  smtpUrl: string | undefined
  from: string
  inbox: Inbox | undefined
  log: MailLog
}

export async function createMailer({ smtpUrl, from, inbox, log }: MailOptions): Promise<Mailer> {
  if (smtpUrl) return createSmtpMailer({ url: smtpUrl, from })
  return inbox ? createInboxMailer(inbox) : createLogMailer(log)
}
