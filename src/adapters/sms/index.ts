import type { Inbox } from '../inbox/inbox.ts'
import { createHttpSmsSender, type SmsWebhook } from './http.ts'
import type { SmsSender } from './port.ts'
import { createTwilioSmsSender, type TwilioAccount } from './twilio.ts'

export interface SmsOptions {
  webhook?: SmsWebhook | undefined
  twilio?: TwilioAccount | undefined
  inbox?: Inbox | undefined
}

export function createSmsSender({ webhook, twilio, inbox }: SmsOptions): SmsSender {
  if (webhook) return createHttpSmsSender(webhook)
  if (twilio) return createTwilioSmsSender(twilio)
  return inbox ? createInboxSmsSender(inbox) : createNoSmsSender()
}

const createInboxSmsSender = (inbox: Inbox): SmsSender => ({
  isConfigured: true,
  async send({ to, text }, id) {
    inbox.add({ id, channel: 'sms', to, subject: '', text, html: '' })
  },
})

const createNoSmsSender = (): SmsSender => ({
  isConfigured: false,
  async send() {
    throw new Error('no SMS sender is configured: set SMS_WEBHOOK_URL or TWILIO_ACCOUNT_SID')
  },
})
