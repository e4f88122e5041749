import { day, hour, minute } from '../../lib/time.ts'
import type { PageLanguage } from '../texts/index.ts'

const steps: [size: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [day, 'day'],
  [hour, 'hour'],
  [minute, 'minute'],
]

/** Formats a relative time such as "3 hours ago", which does not depend on the time zone. */
export function ago(lang: PageLanguage, time: string, now: number): string {
  const passed = Math.max(0, now - Date.parse(time))
  const [size, unit] = steps.find(([size]) => passed >= size) ?? [minute, 'minute']
  return new Intl.RelativeTimeFormat(lang, { numeric: 'auto' }).format(-Math.floor(passed / size), unit)
}

/** Formats a date such as "21 November 2026", in the user's time zone if it is known. */
export const onDay = (
  lang: PageLanguage,
  time: string,
  timeZone: string | null,
  dateStyle: 'long' | 'medium' = 'long',
): string => new Intl.DateTimeFormat(lang, { dateStyle, timeZone: timeZone ?? 'UTC' }).format(new Date(time))

/** Formats a time such as "21 November 2026, 16:05 UTC". The zone is shown because it may differ from the reader's. */
export const atTime = (lang: PageLanguage, time: string, timeZone: string | null): string =>
  new Intl.DateTimeFormat(lang, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone: timeZone ?? 'UTC',
  }).format(new Date(time))
