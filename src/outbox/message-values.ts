import { durationInWords } from '../lib/time.ts'
import { isLink, type MessageName, messageVariables, wordFor } from './messages.ts'

/** Formats a message's variables for its recipient. */
export function valuesOf(
  name: MessageName,
  lang: string,
  variables: Readonly<Record<string, string>>,
): Record<string, string> {
  const values: Record<string, string> = {}
  for (const key of messageVariables(name)) {
    const value = variables[key]
    if (value === undefined) throw new Error(`the message ${name} requires the variable ${key}`)
    values[key] = shown(key, wordFor(name, key, lang, value), lang)
  }
  return values
}

function shown(key: string, value: string, lang: string): string {
  if (isLink(key)) return checkedLink(value)
  if (key.endsWith('expires_in')) return durationInWords(Number(value), lang)
  if (isMoment(key)) return moment(new Date(value), lang)
  if (key === 'app_name' || key === 'host') return oneLine(value, 100)
  return oneLine(value, key === 'user_agent' ? 200 : 100).replace(linkParts, '\u2060')
}

export const isMoment = (key: string): boolean => key === 'time' || key.endsWith('_until') || key.endsWith('_for')

/** Allows http(s) and app schemes (`myapp://`). Errors do not contain the URL, because it may contain a token. */
function checkedLink(value: string): string {
  const isAddress = /^[a-z][a-z0-9+.-]*:\/\/[^\s\p{C}<>"'`\\]+$/iu.test(value) && URL.canParse(value)
  if (!isAddress || /^(javascript|data|vbscript|file|blob):/i.test(value))
    throw new Error('the link of a message is not allowed')
  return value
}

const moment = (time: Date, lang: string): string =>
  new Intl.DateTimeFormat(lang, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(time)

// In user-supplied text, an invisible word joiner (U+2060) prevents email programs from turning URLs into links.
const linkParts = /(?<=[\p{L}\p{N}]\.)(?=\p{L})|(?<=:)(?=\/\/)/gu

const invisible = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu

/** Returns user-supplied text as one truncated line without control or direction characters. */
function oneLine(value: string, limit: number): string {
  const clean = value.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
  const letters = [...clean.replace(invisible, '').replace(/ +/g, ' ').trim()]
  return letters.length > limit ? `${letters.slice(0, limit - 1).join('')}…` : letters.join('')
}
