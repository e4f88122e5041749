import type { BridgeRight } from '../../../../db/rows/applications.ts'
import { bridgeRightNames } from '../../../../http/access/bridge-rights.ts'
import { day } from '../../../../lib/time.ts'
import { linesOf } from '../lines-of.ts'

export type TypedSecret = Readonly<Record<string, string | undefined>>

/** In days. */
export const secretLifetimes = [30, 90, 180, 365] as const

/** In seconds, as in the texts. */
export const overlaps = ['0', '3600', '86400', '604800'] as const

/** The name of the box for a right. */
export const rightField = (right: string): string => `right_${right}`

/** The choice that leaves the end of a secret as it is. */
export const unchangedEnd = 'unchanged'

/** The rights that have an effect: no route requires `events`. A secret that has it nevertheless can keep it. */
export const offeredRights = (present: readonly BridgeRight[] = []): BridgeRight[] =>
  bridgeRightNames.filter((right) => right !== 'events' || present.includes(right))

/** The body of the API call. */
export function secretInput({ ip_ranges, ends_in, ...typed }: TypedSecret, now: number) {
  const days = secretLifetimes.find((known) => `${known}` === ends_in)
  return {
    rights: bridgeRightNames.filter((right) => typed[rightField(right)] !== undefined),
    ip_ranges: linesOf(ip_ranges),
    ...(ends_in !== unchangedEnd && { ends_at: days === undefined ? null : new Date(now + days * day).toISOString() }),
  }
}
