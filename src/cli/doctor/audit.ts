import { verifySeals } from '../../audit/verify-seals.ts'
import { decodeKey } from '../../config/decode-key.ts'
import type { Config } from '../../config/load.ts'
import type { Database } from '../../db/connect.ts'
import { hour } from '../../lib/time.ts'
import { type DoctorFinding, notice, ok, problem } from './finding.ts'

const about = 'Audit'
const newest = 1_000

export async function examineAudit({ db }: Database, config: Config): Promise<DoctorFinding> {
  const dataKeys = config.DATA_KEYS.map(({ name, value }) => ({ id: name, key: decodeKey(value) ?? Buffer.alloc(0) }))
  // Events that expire within the hour are not checked, because they may be purged during the check.
  const keptSince = new Date(Date.now() - config.AUDIT_RETENTION + hour)
  const sealedUntil = new Date(Date.now() - hour)
  const verified = await verifySeals(db, { dataKeys, keptSince, sealedUntil, newest })
  const { seals, checked, broken, withoutKey, unsealed } = verified
  if (broken.length > 0) {
    const list = broken.slice(0, 10).map(({ seal, what }) => `seal ${seal}: ${what}`)
    const hint = 'If AUDIT_RETENTION was raised, earlier events were already deleted, and their seals do not match.'
    return problem(about, `${broken.length} of ${seals} seals do not match\n${[...list, hint].join('\n')}`)
  }
  const text = `${seals} seals in an unbroken chain; the newest ${checked} match their events`
  const notices = [
    withoutKey > 0 && `${withoutKey} seals were made with a key that is no longer in DATA_KEYS.`,
    unsealed > 0 &&
      `${unsealed} events older than an hour have no seal. A running service seals events within ten minutes. ` +
        'If the service is running, the seals were removed.',
  ].filter((one) => one !== false)
  return notices.length > 0 ? notice(about, [text, ...notices].join('\n')) : ok(about, text)
}
