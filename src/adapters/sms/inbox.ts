import type { Inbox } from '../inbox/inbox.ts'
import type { SmsSender } from './port.ts'

/** Text messages stay on this machine, where the development inbox shows them. */
export const createInboxSmsSender = (inbox: Inbox): SmsSender => ({
  isConfigured: true,
  async send({ to, text }, id) {
    inbox.add({ id, channel: 'sms', to, subject: '', text, html: '' })
  },
})
