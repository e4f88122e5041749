import type { Transaction } from '../context.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { enqueueMail, greetedName } from '../outbox/enqueue.ts'
import { findUserByLogin } from '../users/queries.ts'
import { resetLinkOr } from '../users/support-links.ts'

/** Tells the user who has this email address that someone tried to register with it. */
export async function notifyOwner(tx: Transaction, email: string, device: RequestDevice): Promise<void> {
  const owner = await findUserByLogin(tx, email)
  if (!owner) return
  await enqueueMail(tx, {
    message: 'account_exists',
    to: owner.email,
    lang: owner.lang,
    acceptLanguage: device.acceptLanguage,
    variables: {
      name: greetedName(owner),
      login_url: `${tx.config.FRONTEND_URL}/login`,
      reset_url: resetLinkOr(tx, '/account'),
    },
  })
}
