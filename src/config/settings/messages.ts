import { isCountry } from '../../lib/locale.ts'
import { senderOf } from '../../lib/mail-address.ts'
import { bool, changeable, limit, list, optionalText, SettingProblem } from '../kinds.ts'
import { optionalUrl } from '../url-kinds.ts'

const country = (item: string) => (isCountry(item) ? item : new SettingProblem(`"${item}" is not a country such as DE`))

export const messageSettings = {
  MAIL_FROM: changeable(
    optionalText('sender of emails, such as "Example <no-reply@example.com>"', {
      shown: 'no-reply@{host of PUBLIC_URL}',
      check: (value) => (senderOf(value) ? undefined : 'must be an address such as "Example <no-reply@example.com>"'),
    }),
  ),
  SMTP_URL: optionalUrl(['smtp:', 'smtps:'], 'URL of the mail server', {
    secret: true,
    shown: 'none: development inbox',
  }),
  MAIL_CAP: limit(
    '5/1h',
    'maximum number of emails of the same kind to the same address; notices about a verified account are counted separately',
  ),
  MAIL_NEW_DEVICE: changeable(bool(false, 'email users about sign-ins from new devices')),
  SMS_WEBHOOK_URL: optionalUrl(['https:'], 'URL that receives text messages as POST requests'),
  SMS_WEBHOOK_SECRET: optionalText('key for signing requests to SMS_WEBHOOK_URL', { secret: true, min: 32 }),
  TWILIO_ACCOUNT_SID: optionalText('Twilio account that sends text messages: its id, AC followed by 32 hex digits', {
    check: (value) => (/^AC[0-9a-f]{32}$/.test(value) ? undefined : 'must be AC and 32 hex digits'),
  }),
  TWILIO_AUTH_TOKEN: optionalText('auth token for the Twilio account', { secret: true, min: 16 }),
  TWILIO_FROM: optionalText(
    "sender of text messages: one of the Twilio account's numbers in international format, or its messaging service",
    {
      check: (value) =>
        /^(\+[1-9]\d{6,14}|MG[0-9a-f]{32})$/.test(value) ? undefined : 'must be a number such as +491701234567, or MG…',
    },
  ),
  SMS_COUNTRIES: {
    ...list('countries to which text messages can be sent, as ISO 3166-1 alpha-2 codes', country),
    shownDefault: 'DEFAULT_PHONE_REGION, else all',
  },
  SMS_CAP: limit(
    '5/1h',
    'maximum number of text messages to a phone number; numbers that differ only in the last three digits share a combined limit ten times as high',
  ),
  SMS_BUDGET: limit('500/1h', 'maximum number of text messages to all phone numbers together'),
} as const
