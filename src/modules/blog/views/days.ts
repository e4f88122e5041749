import { day, iso } from '../../../lib/time.ts'

export const dayOf = (time: number): string => iso(time).slice(0, 10)

export const daysBefore = (time: number, days: number): string => dayOf(time - days * day)
