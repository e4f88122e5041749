import { safeForTerminal } from './fail.ts'

interface LogLine {
  level: number
  msg?: string
  err?: { message?: string; stack?: string }
}

const errorLevel = 50

/** The JSON line of a log as text for people, because commands write it between their own output. */
export function readableLogLine(line: string): string {
  const { level, time, msg = '', err, ...members } = JSON.parse(line) as LogLine & { time: number }
  const reason = err?.message ? `: ${err.message}` : ''
  const details = Object.entries(members).map(([name, value]) => `${name} ${textOf(value)}`)
  const title = level < errorLevel ? 'Warning' : 'Error'
  const stack = level >= errorLevel && err?.stack ? `\n${err.stack}` : ''
  const suffix = details.length > 0 ? ` (${details.join(', ')})` : ''
  return `${safeForTerminal(`${title}: ${msg}${reason}${suffix}${stack}`)}\n`
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
