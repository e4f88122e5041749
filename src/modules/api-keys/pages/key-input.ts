import { day, iso } from '../../../lib/time.ts'
import { scopesOf, type Typed } from './scope-words.ts'

/** The body for the API, which validates the values. */
export const keyInput = (typed: Typed, now: number) => ({
  name: typed.name ?? '',
  scopes: scopesOf(typed),
  ip_ranges: (typed.ip_ranges ?? '').split(/[\s,]+/).filter((one) => one !== ''),
  ends_at: iso(now + (/^\d{1,4}$/.test(typed.days ?? '') ? Number(typed.days) : 30) * day),
})
