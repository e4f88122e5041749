import type { Context, Transaction, UserRow } from '../context.ts'
import { transact } from '../db/transact.ts'
import { issueOneTimeToken } from '../one-time-tokens/one-time-token.ts'
import { enqueueCounted, enqueueMail, greetedName, mayMail } from '../outbox/enqueue.ts'
import { lockUser } from '../users/queries.ts'
import { type EmailChange, findOwnerOf, findPendingChange, findPendingChangeById } from './change-queries.ts'

export const newAddressJob = 'email_change_new_half'

interface NewAddressJob {
  changeId: string
  acceptLanguage: string | undefined
}

/** If the address is taken, its owner gets a warning but no confirmation link, so that no click can merge accounts. */
export const mailNewAddress = (ctx: Context, job: NewAddressJob): Promise<void> =>
  transact(ctx, async (tx) => {
    const named = await findPendingChangeById(tx.db, job.changeId)
    const user = named && (await lockUser(tx, named.user_id))
    // The change is reread under the lock because it may have been cancelled or replaced since the job was queued.
    const pending = user && (await findPendingChange(tx.db, user.id, ctx.clock.date()))
    if (!user || pending?.id !== job.changeId) return
    const owner = await findOwnerOf(tx.db, pending.new_email)
    if (!owner) return askNewInbox(tx, user, pending, job)
    if (owner.deleted_at) return
    await enqueueMail(tx, {
      message: 'email_change_attempt',
      to: owner.email,
      lang: owner.lang,
      variables: { name: greetedName(owner), login_url: `${ctx.config.FRONTEND_URL}/login` },
    })
  })

async function askNewInbox(
  tx: Transaction,
  user: UserRow,
  { id, new_email, created_at, expires_at }: EmailChange,
  { acceptLanguage }: NewAddressJob,
): Promise<void> {
  if (!(await mayMail(tx, 'email_change_new', new_email))) return
  const lifetime = expires_at.getTime() - tx.clock.now()
  const bound = { purpose: 'email_change_new', userId: user.id, target: id, lifetime } as const
  const { secret } = await issueOneTimeToken(tx, bound)
  await enqueueCounted(tx, {
    message: 'email_change_new',
    to: new_email,
    lang: user.lang,
    acceptLanguage,
    variables: {
      // The email address is unverified, so the email contains no user-supplied text.
      name: '',
      confirm_url: `${tx.config.PUBLIC_URL}/auth/email-change/verify?token=${secret}`,
      expires_in: String(Math.round((expires_at.getTime() - created_at.getTime()) / 1000)),
    },
    expiresAt: expires_at,
  })
}
