import { day, hour, minute } from '../../../lib/time.ts'
import type { PageLanguage } from '../../texts/index.ts'

const steps: [size: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [day, 'day'],
  [hour, 'hour'],
  [minute, 'minute'],
]

/** "3 hours ago": the same for a reader in any time zone. */
export function ago(lang: PageLanguage, time: string, now: number): string {
  const passed = Math.max(0, now - Date.parse(time))
  const [size, unit] = steps.find(([size]) => passed >= size) ?? [minute, 'minute']
  return new Intl.RelativeTimeFormat(lang, { numeric: 'auto' }).format(-Math.floor(passed / size), unit)
}

/** "21 November 2026": in the person's time zone, where they have told it. */
export const onDay = (lang: PageLanguage, time: string, timeZone: string | null): string =>
  new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeZone: timeZone ?? 'UTC' }).format(new Date(time))

/** "21 November 2026, 16:05 UTC": the zone is named, because a person may be in another one. */
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
