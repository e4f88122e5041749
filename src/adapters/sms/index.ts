import type { Inbox } from '../inbox/inbox.ts'
import { createHttpSmsSender, type SmsWebhook } from './http.ts'
import { createInboxSmsSender } from './inbox.ts'
import { createNoSmsSender } from './none.ts'
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
