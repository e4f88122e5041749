import type { Inbox } from '../inbox/inbox.ts'
import type { SmsSender } from './port.ts'

export const createInboxSmsSender = (inbox: Inbox): SmsSender => ({
  isConfigured: true,
  async send({ to, text }, id) {
    inbox.add({ id, channel: 'sms', to, subject: '', text, html: '' })
  },
})
