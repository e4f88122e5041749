import { recordAudit } from '../../audit/record.ts'
import type { Context, CredentialProvider } from '../../context.ts'
import { createOncePer } from '../../lib/once-per.ts'
import { minute } from '../../lib/time.ts'

/** Each reason is recorded once a minute per key and process. */
export function rejectionsOf(ctx: Context): CredentialProvider['noteRejection'] {
  const isNew = createOncePer(minute)
  return async ({ id, user, serviceAccount }, code, { now, address }) => {
    if (!isNew(`${id} ${code}`, now)) return
    const details = { key: id, code, ...(serviceAccount && { service_account: serviceAccount.id }), address }
    await recordAudit(ctx, { event: 'api_key_refused', outcome: 'failure', target: user?.id, details }).catch((err) =>
      ctx.log.error({ err }, 'could not record the rejection of an API key in the audit trail'),
    )
  }
}
