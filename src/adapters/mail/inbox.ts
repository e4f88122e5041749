import type { Inbox } from '../inbox/inbox.ts'
import type { Mailer } from './port.ts'

export const createInboxMailer = (inbox: Inbox): Mailer => ({
  async send(mail, id) {
    inbox.add({ id, channel: 'mail', ...mail })
  },
  async close() {},
})
