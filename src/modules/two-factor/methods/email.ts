import { maskEmail } from '../../../lib/contact.ts'
import { accountCounter, enqueueCounted, greetedName, mayMail } from '../../../outbox/enqueue.ts'
import { emailField } from '../../../users/fields.ts'
import type { FactorMethod } from './method.ts'
import { assertSixDigits, type CodeMessage, checkSentCode, startSentCode } from './sent-code.ts'

const message = 'two_factor_code'

export const emailMethod: FactorMethod = {
  maxPerUser: 10,
  isAvailable: () => true,
  masked: (identifier) => identifier && maskEmail(identifier),
  prepare: (_ctx, user, { identifier }) => ({ identifier: emailField('identifier', identifier ?? user.email) }),
  start: startSentCode({
    // A user can enrol someone else's address. The emails sent to it must not use up that person's limit.
    maySend: (tx, to, { action, user }) =>
      mayMail(
        tx,
        message,
        to,
        action === 'setup' && to !== user.email ? 'two_factor_enrolment' : accountCounter(message, user),
      ),
    send: (tx, sent) => enqueueCounted(tx, { message, ...mail(sent) }),
  }),
  assertForm: assertSixDigits,
  check: checkSentCode,
}

const mail = ({ to, code, expiresAt, lifetime, factorRequest: { user, device } }: CodeMessage) => ({
  to,
  lang: user.lang,
  acceptLanguage: device.acceptLanguage,
  expiresAt,
  // The email contains the user's name only if the recipient is the account's email address.
  variables: { name: to === user.email ? greetedName(user) : '', code, expires_in: String(lifetime / 1000) },
})
