import { recordAudit } from '../../audit/record.ts'
import type { Context, CredentialUse, CredentialView } from '../../context.ts'
import { BoundedMap } from '../../lib/bounded-map.ts'
import { minute } from '../../lib/time.ts'

/** Each node records the same rejection of a key once within this time, so that a program's retries fill no table. */
const window = 10 * minute

/** Records rejections of keys that exist: those that are paused, used from a wrong network or for more than their scopes. */
export function createRejectionLog(ctx: Context) {
  const until = new BoundedMap<string, number>({ maxWeight: 10_000 })
  return async (view: CredentialView, code: string, { now, address }: CredentialUse): Promise<void> => {
    const entry = `${view.id} ${code}`
    if (now < (until.get(entry) ?? 0)) return
    until.set(entry, now + window)
    await recordAudit(ctx, {
      event: 'api_key_refused',
      outcome: 'failure',
      target: view.user?.id,
      details: {
        key: view.id,
        ...(view.serviceAccount && { service_account: view.serviceAccount.id }),
        code,
        ...(address !== undefined && { address }),
      },
    }).catch((err) => ctx.log.error({ err }, 'could not record a rejected API key in the audit trail'))
  }
}
