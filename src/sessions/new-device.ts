import type { Transaction } from '../context.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { enqueueMail, greetedName } from '../outbox/enqueue.ts'
import type { CreatedSession } from './create-session.ts'

export async function notifyNewDevice(
  tx: Transaction,
  { view, pending }: CreatedSession,
  { device, known }: { device: RequestDevice; known: boolean },
): Promise<void> {
  if (!tx.config.MAIL_NEW_DEVICE || known || pending) return
  const { email, lang } = view.user
  await enqueueMail(tx, {
    message: 'new_device',
    to: email,
    lang,
    acceptLanguage: device.acceptLanguage,
    variables: { name: greetedName(view.user), ip: device.address, user_agent: device.device || device.userAgent },
  })
}
