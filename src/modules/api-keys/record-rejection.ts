import { recordAudit } from '../../audit/record.ts'
import type { Context, CredentialProvider } from '../../context.ts'
import { BoundedMap } from '../../lib/bounded-map.ts'
import { minute } from '../../lib/time.ts'

const maxRemembered = 10_000

/** A program may repeat a rejected request many times, so each reason is recorded once a minute per key and process. */
export function rejectionsOf(ctx: Context): CredentialProvider['noteRejection'] {
  const recordedAt = new BoundedMap<string, number>({ maxWeight: maxRemembered })
  return async ({ id, user, serviceAccount }, code, { now, address }) => {
    const key = `${id} ${code}`
    if ((recordedAt.get(key) ?? Number.NEGATIVE_INFINITY) > now - minute) return
    recordedAt.set(key, now)
    const details = { key: id, code, ...(serviceAccount && { service_account: serviceAccount.id }), address }
    await recordAudit(ctx, { event: 'api_key_refused', outcome: 'failure', target: user?.id, details }).catch((err) =>
      ctx.log.error({ err }, 'could not record the rejection of an API key in the audit trail'),
    )
  }
}
