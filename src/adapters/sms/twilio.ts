import { second } from '../../lib/time.ts'
import type { SmsSender } from './port.ts'
import { post } from './post.ts'

export interface TwilioAccount {
  accountSid: string
  authToken: string
  /** One of the account's numbers in E.164 format, or a messaging service id (MG…). */
  from: string
  url?: string
  responseMs?: number
}

/** Twilio does not detect duplicates, so a message whose response was lost may arrive twice. */
export const createTwilioSmsSender = ({
  accountSid,
  authToken,
  from,
  url = 'https://api.twilio.com',
  responseMs = 10 * second,
}: TwilioAccount): SmsSender => ({
  isConfigured: true,
  async send({ to, text }) {
    const sender = from.startsWith('MG') ? 'MessagingServiceSid' : 'From'
    await post('Twilio', {
      url: `${url}/2010-04-01/Accounts/${accountSid}/Messages.json`,
      body: new URLSearchParams({ To: to, Body: text, [sender]: from }).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
      },
      responseMs,
    })
  },
})
