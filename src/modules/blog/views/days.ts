import { day, iso } from '../../../lib/time.ts'

/** The day of a time, by UTC. */
export const dayOf = (time: number): string => iso(time).slice(0, 10)

/** The day so many days before the one of this time. */
export const daysBefore = (time: number, days: number): string => dayOf(time - days * day)
