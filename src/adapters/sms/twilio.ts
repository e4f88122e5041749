import { second } from '../../lib/time.ts'
import type { SmsSender } from './port.ts'
import { post } from './post.ts'

export interface TwilioAccount {
  accountSid: string
  authToken: string
  /** A number of the account in E.164, or a messaging service (MG…) that picks one. */
  from: string
  /** Where the API is, without a slash at its end. */
  url?: string
  answerMs?: number
}

/**
 * The Programmable Messaging API of Twilio. It knows no id of ours: a message whose answer was lost on the way may
 * arrive twice.
 */
export const createTwilioSmsSender = ({
  accountSid,
  authToken,
  from,
  url = 'https://api.twilio.com',
  answerMs = 10 * second,
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
      answerMs,
    })
  },
})
