import { hashListProblem } from '../lib/hash-list.ts'
import { formatDuration, parseDuration } from '../lib/time.ts'

export interface Setting<Value> {
  read(text: string): Value | SettingProblem
  fallback: Value | undefined
  developmentFallback?: Value
  type: string
  shownDefault: string
  meaning: string
  /** If true, the value is never shown, and `<NAME>_FILE` can point to a file containing the value. */
  secret: boolean
  aliases: readonly string[]
  /** The setting can be changed at run time. The new value is stored in the database. */
  changeable?: true
  /** Reads a stored value. Defined only if the stored format differs from the format in the environment. */
  readStored?(text: string): Value | SettingProblem
  /** All allowed values, if there are only a few. */
  choices?: readonly string[]
}

export interface ChangeableSetting<Value> extends Setting<Value> {
  changeable: true
}

/** Use this only if all code reads the setting from `ctx.config` at every use and keeps no copy. */
export const changeable = <Value>(setting: Setting<Value>): ChangeableSetting<Value> => ({
  ...setting,
  changeable: true,
})

export type ChangeableIn<Settings> = {
  readonly [Name in keyof Settings as Settings[Name] extends { changeable: true } ? Name : never]: true
}

export type SettingValues<Settings> = {
  readonly [Name in keyof Settings]: Settings[Name] extends Setting<infer Value> ? Value : never
}

export class SettingProblem {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

export interface SettingOptions {
  secret?: boolean
  aliases?: readonly string[]
  shown?: string
}

function setting<Value>(
  type: string,
  read: (text: string) => Value | SettingProblem,
  fallback: Value | undefined,
  shownDefault: string,
  meaning: string,
  extra: SettingOptions = {},
): Setting<Value> {
  const { secret = false, aliases = [], shown = shownDefault } = extra
  return { read, fallback, type, shownDefault: shown, meaning, secret, aliases }
}

export const text = (fallback: string, meaning: string, extra?: SettingOptions & { max?: number }): Setting<string> =>
  setting(
    'text',
    (value) => (value.length > (extra?.max ?? 2048) ? new SettingProblem('is too long') : value),
    fallback,
    fallback,
    meaning,
    extra,
  )

interface TextExtra extends SettingOptions {
  min?: number
  check?: (value: string) => string | undefined
}

export const optionalText = (meaning: string, extra: TextExtra = {}): Setting<string | undefined> => {
  const { min = 1, check } = extra
  const read = (value: string) => {
    const wrong = value.length < min ? `must have at least ${min} characters` : check?.(value)
    return wrong ? new SettingProblem(wrong) : value
  }
  return setting<string | undefined>(min > 1 ? `text, ≥ ${min}` : 'text', read, undefined, 'none', meaning, extra)
}

export const bool = (fallback: boolean, meaning: string): Setting<boolean> => {
  const read = (value: string) =>
    value === 'true' ? true : value === 'false' ? false : new SettingProblem('must be true or false')
  return { ...setting('true, false', read, fallback, String(fallback), meaning), choices: ['true', 'false'] }
}

export const oneOf = <const Word extends string>(
  words: readonly Word[],
  fallback: Word,
  meaning: string,
): Setting<Word> => {
  const read = (value: string) =>
    words.find((word) => word === value) ?? new SettingProblem(`must be one of ${words.join(', ')}`)
  return { ...setting(words.join(', '), read, fallback, fallback, meaning), choices: words }
}

export const integer = (
  fallback: number,
  min: number,
  max: number,
  meaning: string,
  extra?: SettingOptions,
): Setting<number> => {
  const read = (value: string) => {
    const number = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN
    return number >= min && number <= max ? number : new SettingProblem(`must be a whole number from ${min} to ${max}`)
  }
  return setting(`${min}–${max}`, read, fallback, String(fallback), meaning, extra)
}

export const integerOrAuto = (
  fallback: number,
  min: number,
  max: number,
  meaning: string,
): Setting<number | 'auto'> => {
  const { read, ...rest } = integer(fallback, min, max, meaning)
  return { ...rest, type: `auto, ${rest.type}`, read: (value) => (value === 'auto' ? value : read(value)) }
}

export const duration = (
  fallback: string,
  min: string,
  max: string,
  meaning: string,
  extra?: SettingOptions,
): Setting<number> => {
  const [low, high] = [parseDuration(min) ?? 0, parseDuration(max) ?? 0]
  const read = (value: string) => {
    const parsed = parseDuration(value)
    if (parsed === undefined || parsed < low || parsed > high) {
      return new SettingProblem(
        `must be a duration from ${min} to ${max}, such as ${formatDuration(Math.max(low, 1000))}`,
      )
    }
    return parsed
  }
  return setting(`${min}–${max}`, read, parseDuration(fallback), fallback, meaning, extra)
}

export const optionalDuration = (
  shown: string,
  min: string,
  max: string,
  meaning: string,
): Setting<number | undefined> => ({
  ...duration(min, min, max, meaning),
  fallback: undefined,
  shownDefault: shown,
})

export const list = (
  meaning: string,
  check: (item: string) => string | SettingProblem = (item) => item,
  type = 'list',
): Setting<string[]> => {
  const read = (value: string) => {
    const items = value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
      .map(check)
    const problem = items.find((item) => item instanceof SettingProblem)
    return problem ?? items.filter((item) => typeof item === 'string')
  }
  return setting(type, read, [], 'empty', meaning)
}

export interface AttemptLimit {
  attempts: number
  windowMs: number
}

const maxAttempts = 10_000_000
/** `5/15m` allows five attempts per 15 minutes. Zero and "off" are rejected. */
export const limit = (fallback: string, meaning: string): Setting<AttemptLimit> => {
  const read = (value: string): AttemptLimit | SettingProblem => {
    const [count = '', window = '', ...rest] = value.split('/')
    const attempts = /^\d{1,8}$/.test(count) ? Number(count) : 0
    const windowMs = parseDuration(window) ?? 0
    const fits =
      rest.length === 0 && attempts >= 1 && attempts <= maxAttempts && windowMs >= 1000 && windowMs <= 86_400_000
    return fits
      ? { attempts, windowMs }
      : new SettingProblem('must be attempts/window, such as 5/15m (1–10000000, 1s–24h)')
  }
  const parsed = read(fallback)
  return setting('attempts/window', read, parsed instanceof SettingProblem ? undefined : parsed, fallback, meaning)
}

const developmentFactor = 100

/**
 * The limit is higher outside production. Message limits use `limit` instead because messages go to real recipients.
 */
export const requestLimit = (production: string, meaning: string): Setting<AttemptLimit> => {
  const base = limit(production, meaning)
  const { attempts = 0, windowMs = 0 } = base.fallback ?? {}
  return { ...base, developmentFallback: { attempts: Math.min(maxAttempts, attempts * developmentFactor), windowMs } }
}

export const hashList = (meaning: string): Setting<string | undefined> => {
  const read = (path: string) => {
    const wrong = hashListProblem(path)
    return wrong ? new SettingProblem(wrong) : path
  }
  return setting<string | undefined>('file', read, undefined, 'none', meaning)
}

export interface NamedValue {
  name: string
  value: string
}

export const namedValue = (meaning: string, check: (value: string) => string | undefined): Setting<NamedValue[]> => {
  const read = (text: string): NamedValue[] | SettingProblem => {
    const pairs = text.split(',').map((pair) => {
      const [name = '', ...rest] = pair.trim().split(':')
      return { name, value: rest.join(':') }
    })
    if (new Set(pairs.map(({ name }) => name)).size < pairs.length) return new SettingProblem('contains an entry twice')
    for (const { name, value } of pairs) {
      const wrong = /^[A-Za-z0-9_-]{1,32}$/.test(name) ? check(value) : 'must be written as name:value,name:value'
      if (wrong) return new SettingProblem(wrong)
    }
    return pairs
  }
  return setting('name:value list', read, [], 'none', meaning, { secret: true })
}

export const userTypeName = (item: string): string | SettingProblem =>
  /^[a-z][a-z0-9_-]{1,31}$/.test(item) ? item : new SettingProblem(`"${item}" is not a user type such as admin`)
