import type { Database } from '../../db/connect.ts'
import { iso } from '../../lib/time.ts'
import { findWaitingDeliveries, findWebhooks } from '../../webhooks/queries.ts'
import { type DoctorFinding, notice, ok } from './finding.ts'

const about = 'Webhooks'

/** Reports failures as a notice, because a back end that is down is not a problem with this installation. */
export async function examineWebhooks({ db }: Database): Promise<DoctorFinding> {
  const webhooks = await findWebhooks(db)
  if (webhooks.length === 0) return ok(about, 'none')
  const { waiting, oldest } = await findWaitingDeliveries(db)
  const text = `${webhooks.length} configured; ${waiting} deliveries waiting${oldest ? `, the oldest since ${iso(oldest)}` : ''}`
  const lines = webhooks.flatMap(({ id, url, is_enabled, disabled_reason, failing_since }) => {
    const { host } = new URL(url)
    if (!is_enabled && disabled_reason) return [`${host} (${id}) was disabled: ${reasons[disabled_reason]}`]
    return is_enabled && failing_since ? [`${host} (${id}) has accepted no event since ${iso(failing_since)}`] : []
  })
  const hint = 'Repair the back ends, and enable disabled webhooks with "wardenry webhook update <id> --enable".'
  return lines.length > 0 ? notice(about, [text, ...lines, hint].join('\n')) : ok(about, text)
}

const reasons = {
  gone: 'its back end responded with 410 Gone',
  failing: 'its back end accepted no event for three days',
  restored: 'the database was restored from a backup',
} as const
