import { combinationProblems } from './check.ts'
import { type Setting, SettingProblem } from './kinds.ts'
import type { Config } from './load.ts'
import { settings } from './settings.ts'

export interface StoredValue {
  name: string
  /** Null if the setting was reset. */
  value: string | null
}

export interface StoredSettings {
  /** Returns the reasons why stored values are not used, by setting name. */
  ignored(): ReadonlyMap<string, string>
  /** Returns the configuration that would apply if these values were stored. */
  apply(values: readonly StoredValue[]): Applied
  /** Call this after committing a change. Applies the change on this node and notifies the other nodes. */
  refreshAll(): Promise<void>
}

export interface Applied {
  config: Config
  ignored: ReadonlyMap<string, string>
}

/** The environment takes precedence. Invalid stored values are ignored because an upgrade can make a value invalid. */
export function withStored(start: Config, stored: readonly StoredValue[]): Applied {
  const ignored = new Map<string, string>()
  const readable: [name: string, value: unknown][] = []
  for (const { name, value } of stored) {
    if (value === null || name in start.given) continue
    const read = readStored(name, value)
    if (read instanceof SettingProblem) ignored.set(name, read.message)
    else readable.push([name, read])
  }
  const { config, refused } = combined(start, readable)
  for (const [name, reason] of refused) ignored.set(name, reason)
  return { config, ignored }
}

export function readStored(name: string, text: string): unknown {
  const setting = settings[name]
  if (!setting) return new SettingProblem('is not a setting')
  if (!setting.changeable || setting.secret) return new SettingProblem('cannot be changed while the service runs')
  if (text === '') return new SettingProblem('must not be empty; to remove the value, reset the setting')
  if (/[\p{Cc}\u2028\u2029]/u.test(text) || !text.isWellFormed())
    return new SettingProblem('must be one line without control characters')
  return readerOf(setting)(text)
}

const readerOf = ({ read, readStored: readOther }: Setting<unknown>) => readOther ?? read

type Value = readonly [name: string, value: unknown]

/** Uses as many values as possible. A value may depend on another value that is added later. */
function combined(start: Config, values: readonly Value[]): { config: Config; refused: Map<string, string> } {
  const known = new Set(problemsOf(start))
  const problemWith = (config: Config) => problemsOf(config).find((one) => !known.has(one))
  const all = added(start, values)
  if (problemWith(all) === undefined) return { config: all, refused: new Map() }
  let config = start
  let open = values
  for (;;) {
    const refused = new Map<string, string>()
    for (const value of open) {
      const next = added(config, [value])
      const problem = problemWith(next)
      if (problem === undefined) config = next
      else refused.set(value[0], problem)
    }
    if (refused.size === 0 || refused.size === open.length) return { config, refused }
    open = open.filter(([name]) => refused.has(name))
  }
}

/** If there are no values, returns the same object because the appearance is cached per configuration object. */
const added = (config: Config, values: readonly Value[]): Config =>
  values.length === 0 ? config : Object.freeze({ ...config, ...Object.fromEntries(values) })

/** Returns problems with combinations of settings, such as settings that are useful only together. */
export function problemsOf(config: Config): string[] {
  const input = Object.entries(settings).map(([name, { fallback }]) => [
    name,
    name in config.given ? config[name as keyof Config] : fallback,
  ])
  return combinationProblems(config, Object.fromEntries(input))
}
