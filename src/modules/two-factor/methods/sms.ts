import type { Context } from '../../../context.ts'
import { maskPhone } from '../../../lib/contact.ts'
import { invalidField } from '../../../lib/errors.ts'
import { enqueueText } from '../../../outbox/enqueue.ts'
import { rejectionOfText } from '../../../outbox/may-text.ts'
import { phoneField } from '../../../users/fields.ts'
import type { FactorMethod } from './method.ts'
import { assertSixDigits, type CodeMessage, checkSentCode, startSentCode } from './sent-code.ts'

export const smsMethod: FactorMethod = {
  maxPerUser: 10,
  isAvailable: (ctx) => ctx.sms.isConfigured,
  masked: (identifier) => identifier && maskPhone(identifier),
  prepare: (ctx, user, { identifier }) => {
    const number = identifier ?? user.phone
    if (!number) throw invalidField('identifier', 'is required: the account has no phone number')
    return { identifier: phoneField('identifier', number, ctx.config) }
  },
  start: startSentCode({
    maySend: async (tx, to) => tx.sms.isConfigured && !(await rejectionOfText(tx, to)),
    send: (tx, sent) => enqueueText(tx, { message: 'two_factor_text', ...text(tx, sent) }),
  }),
  assertForm: assertSixDigits,
  check: checkSentCode,
}

const text = (ctx: Context, { to, code, expiresAt, lifetime, factorRequest: { user, device } }: CodeMessage) => ({
  to,
  lang: user.lang,
  acceptLanguage: device.acceptLanguage,
  expiresAt,
  variables: { code, expires_in: String(lifetime / 1000), host: new URL(ctx.config.FRONTEND_URL).hostname },
})
