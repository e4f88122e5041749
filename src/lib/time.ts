export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
}

export interface ServiceClock extends Clock {
  /** The same time as a `Date`, for SQL statements. */
  date(): Date
}

export const serviceClock = ({ now }: Clock): ServiceClock => ({ now, date: () => new Date(now()) })

let [lastTime, lastText] = [0, '1970-01-01T00:00:00.000Z']

/** Returns an RFC 3339 time in UTC. The last result is memoized because busy servers often format the same time. */
export function iso(time: number | Date): string {
  const milliseconds = Number(time)
  if (milliseconds !== lastTime) {
    lastText = new Date(milliseconds).toISOString()
    lastTime = milliseconds
  }
  return lastText
}

const isoForm = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/

/** Compares the text with the parsed date because `Date.parse` accepts February 30. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && iso(Date.parse(text) || 0).startsWith(text)

export function parseTime(text: string): number | undefined {
  if (!isoForm.test(text) || !isDay(text.slice(0, 10))) return undefined
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}

const units: Record<string, number> = { s: second, m: minute, h: hour, d: day }

/** Converts durations such as `30s`, `5m`, `24h` and `7d` to milliseconds. Returns undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,7})([smhd])$/.exec(text)
  if (!match) return undefined
  return Number(match[1]) * (units[match[2] ?? ''] ?? 0)
}

export function formatDuration(milliseconds: number): string {
  if (milliseconds === 0) return '0s'
  for (const unit of ['d', 'h', 'm']) {
    const size = units[unit] ?? 1
    if (milliseconds % size === 0) return `${milliseconds / size}${unit}`
  }
  return `${milliseconds / second}s`
}

export function durationInWords(seconds: number, lang: string): string {
  const units = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
    ['second', 1],
  ] as const
  const [unit, size] = units.find(([, length]) => seconds % length === 0 && seconds / length > 1) ?? ['second', 1]
  return new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / size)
}
