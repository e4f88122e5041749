import { isLogo } from '../config/branding.ts'
import type { AttemptLimit, Setting } from '../config/kinds.ts'
import type { Config } from '../config/load.ts'
import { chapters } from '../config/settings.ts'
import { readStored } from '../config/stored-values.ts'
import type { Context } from '../context.ts'
import { formatDuration, iso } from '../lib/time.ts'
import { findStored, type StoredRow, versionOf } from './queries.ts'

export type SettingSource = 'default' | 'environment' | 'database' | 'generated'

export interface ShownSetting {
  name: string
  chapter: string
  meaning: string
  type: string
  choices: readonly string[] | null
  picture: boolean
  default: string
  /** Null for secrets and for settings without a value. */
  value: string | null
  /** Whether the setting has a value. Secret values are never shown. */
  set: boolean
  secret: boolean
  source: SettingSource
  changeable: boolean
  /** Why the setting cannot be changed through this API. */
  reason: 'secret' | 'read_at_start' | 'environment' | null
  /** A stored value that is not in use, because it is invalid or the environment sets another value. */
  unused: { value: string; problem: string } | null
  changed_by: string | null
  changed_at: string | null
}

export async function showSettings(ctx: Pick<Context, 'config' | 'db' | 'settings'>) {
  const rows = await findStored(ctx.db)
  const stored = new Map(rows.map((row) => [row.name, row]))
  const settings = Object.entries(chapters).flatMap(([chapter, members]) =>
    Object.entries(members).map(([name, setting]) => shown(ctx, { name, chapter, setting, row: stored.get(name) })),
  )
  return { version: versionOf(rows), settings }
}

interface Found {
  name: string
  chapter: string
  setting: Setting<unknown>
  row: StoredRow | undefined
}

function shown({ config, settings }: Pick<Context, 'config' | 'settings'>, found: Found): ShownSetting {
  const { name, chapter, setting, row } = found
  const { meaning, type, choices = null, shownDefault, secret } = setting
  const isGiven = name in config.given
  const text = row?.value ?? undefined
  const problem = isGiven ? 'the environment sets another value' : settings.ignored().get(name)
  const isUsed = text !== undefined && problem === undefined
  const source = isGiven
    ? 'environment'
    : config.generated.includes(name)
      ? 'generated'
      : isUsed
        ? 'database'
        : 'default'
  const value = secret ? null : effectiveValue(config, found, isUsed ? text : undefined)
  return {
    name,
    chapter,
    meaning,
    type,
    choices,
    picture: setting.readStored !== undefined,
    default: shownDefault,
    value,
    set: secret ? isGiven || source === 'generated' : value !== null,
    secret,
    source,
    changeable: setting.changeable === true && !isGiven,
    reason: secret ? 'secret' : setting.changeable ? (isGiven ? 'environment' : null) : 'read_at_start',
    unused: text !== undefined && problem !== undefined ? { value: shownValue(name, text), problem } : null,
    changed_by: row?.changed_by ?? null,
    changed_at: row ? iso(row.changed_at) : null,
  }
}

function effectiveValue(config: Config, { name, setting }: Found, stored: string | undefined): string | null {
  if (stored !== undefined) return shownValue(name, stored)
  const given = config.given[name]
  // URLs may contain a password.
  if (given !== undefined) return given.replace(/\/\/[^/@]*@/, '//…@')
  if (config.relaxed.includes(name)) return limitText(config[name as keyof Config] as AttemptLimit)
  return setting.fallback === undefined || setting.shownDefault === 'empty' ? null : setting.shownDefault
}

const limitText = ({ attempts, windowMs }: AttemptLimit): string => `${attempts}/${formatDuration(windowMs)}`

/** Describes a picture instead of returning its stored value, which is long. */
export function shownValue(name: string, text: string): string {
  if (!text.startsWith('data:')) return text
  const read = readStored(name, text)
  return isLogo(read) ? `${read.type}, ${read.width} × ${read.height}` : 'a picture'
}
