import type { PacedResult } from '../load/paced.ts'
import { assertOnly, type Statuses } from '../load/status.ts'
import { withDelay } from '../service.ts'
import type { Stage } from '../stage.ts'

const milliseconds = 5_000
const validations = { requests: 'validateFew', connections: 32, milliseconds, perSecond: 1_000 }
const wrongLogins = { requests: 'wrongLogin', connections: 300, milliseconds, perSecond: 300 }

export interface StormFigures {
  calm: PacedResult
  storm: PacedResult
  /** The responses to sign-ins with a wrong password: 401 after hashing, or 503 if too many were queued for hashing. */
  logins: Statuses
  /** The maximum event loop delay, in milliseconds. */
  calmDelay: number
  stormDelay: number
}

/**
 * Measures a thousand validations a second, first on their own and then alongside 300 wrong-password sign-ins a second,
 * each for a different user.
 */
export async function measureStorm(stage: Stage): Promise<StormFigures> {
  const service = await stage.startService()
  const validate = () => stage.load.ask<PacedResult>('paced', { ...validations, port: service.port })
  try {
    await validate()
    const [calm, calmDelay] = await withDelay(service, validate)
    const [[storm, logins], stormDelay] = await withDelay(service, () =>
      Promise.all([validate(), stage.load.ask<PacedResult>('paced', { ...wrongLogins, port: service.port })]),
    )
    for (const { statuses } of [calm, storm]) assertOnly(statuses, 200, service.output())
    return { calm, storm, logins: logins.statuses, calmDelay, stormDelay }
  } finally {
    await service.stop()
  }
}
