import type { Context } from '../context.ts'
import type { RequestDevice } from '../http/access/device.ts'
import type { MailRequest } from '../outbox/enqueue.ts'
import { greetedName } from '../outbox/greeted-name.ts'
import type { UserWithPassword } from '../users/queries.ts'

/** Notifies the owner, who may not have done it. */
export const passwordChangedMail = (ctx: Context, user: UserWithPassword, device: RequestDevice): MailRequest => ({
  message: 'password_changed',
  to: user.email,
  lang: user.lang,
  acceptLanguage: device.acceptLanguage,
  variables: {
    name: greetedName(user),
    ip: device.address,
    user_agent: device.device || device.userAgent,
    support_url: `${ctx.config.FRONTEND_URL}/reset-password`,
  },
})
