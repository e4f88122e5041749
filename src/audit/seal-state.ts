import type { Context } from '../context.ts'
import { hour, iso } from '../lib/time.ts'
import { findLastSeal, findSealTimes } from './seal-queries.ts'
import { verifySeals } from './verify-seals.ts'

/** Bounds the work per request. `wardenry doctor` checks the full chain. */
const checked = { seals: 100, withEvents: 3 }

export async function sealState({ db, config, clock, dataKeys }: Context) {
  const now = clock.now()
  const newest = await findLastSeal(db)
  const { unsealed } = await findSealTimes(db)
  const verified = await verifySeals(db, {
    dataKeys,
    // Events that expire within the hour may be purged during the check.
    keptSince: new Date(now - config.AUDIT_RETENTION + hour),
    sealedUntil: new Date(now - hour),
    newest: checked.withEvents,
    chain: checked.seals,
  })
  const { seals, broken, withoutKey } = verified
  return {
    state: stateOf(verified),
    newest: newest ? { number: newest.number, events: newest.events, sealed_at: iso(newest.sealed_at) } : null,
    age_seconds: newest ? Math.max(0, Math.floor((now - newest.sealed_at.getTime()) / 1000)) : null,
    oldest_unsealed_at: unsealed ? iso(unsealed) : null,
    unsealed_over_an_hour: verified.unsealed,
    checked_seals: seals,
    checked_with_events: verified.checked,
    without_key: withoutKey,
    broken,
  }
}

type Verified = Awaited<ReturnType<typeof verifySeals>>

function stateOf({ seals, broken, withoutKey, unsealed }: Verified): 'verified' | 'broken' | 'incomplete' | 'none' {
  if (broken.length > 0) return 'broken'
  if (unsealed > 0 || withoutKey > 0) return 'incomplete'
  return seals === 0 ? 'none' : 'verified'
}
