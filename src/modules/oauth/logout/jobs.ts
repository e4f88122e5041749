import type { Context } from '../../../context.ts'
import { day } from '../../../lib/time.ts'
import { eraseOldLogouts } from './delivery-queries.ts'

const batch = 1_000
const kept = 7 * day

export const logoutJobs = {
  oauth_logouts: ({ db, clock }: Context) => eraseOldLogouts(db, new Date(clock.now() - kept), batch),
}
