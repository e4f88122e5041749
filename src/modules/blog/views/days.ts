import { day, iso } from '../../../lib/time.ts'

/** The UTC day of a time. */
export const dayOf = (time: number): string => iso(time).slice(0, 10)

/** The day this many days before a time. */
export const daysBefore = (time: number, days: number): string => dayOf(time - days * day)
