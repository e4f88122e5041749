/** `<input type="datetime-local">` has no time zone. The visitor's time zone applies, or UTC if it is unknown. */
export function toLocalInput(time: string | null, timeZone: string | null): string {
  if (time === null) return ''
  const parts = partsIn(new Date(time), timeZone)
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}`
}

/** Text that is not a local time is returned unchanged so that the API reports it. */
export function fromLocalInput(text: string, timeZone: string | null): string {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(text)) return text
  const asUtc = Date.parse(`${text}Z`)
  if (Number.isNaN(asUtc)) return text
  // The offset at `asUtc` may be wrong for the local time, so the result uses the offset at the guess.
  const guess = asUtc - offsetAt(asUtc, timeZone)
  return new Date(asUtc - offsetAt(guess, timeZone)).toISOString()
}

function offsetAt(time: number, timeZone: string | null): number {
  const { year, month, day, hour, minute, second } = partsIn(new Date(time), timeZone)
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) - Math.floor(time / 1000) * 1000
}

function partsIn(time: Date, timeZone: string | null): Record<string, string> {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timeZone ?? 'UTC',
    hourCycle: 'h23',
    year: 'numeric',
    ...{ month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  })
  return Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]))
}
