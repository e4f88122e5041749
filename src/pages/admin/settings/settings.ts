import { fill } from '../../texts/index.ts'
import { adminTextsFor } from '../texts/index.ts'

export const settingsPath = '/admin/settings'
export const settingsApi = '/auth/admin/settings'

export interface ListedSetting {
  name: string
  chapter: string
  meaning: string
  type: string
  choices: readonly string[] | null
  picture: boolean
  default: string
  value: string | null
  set: boolean
  secret: boolean
  source: 'default' | 'environment' | 'database' | 'generated'
  changeable: boolean
  reason: 'secret' | 'read_at_start' | 'environment' | null
  unused: { value: string; problem: string } | null
  changed_at: string | null
}

export interface SettingList {
  version: number
  settings: ListedSetting[]
}

export const chapterSlug = (chapter: string): string =>
  chapter
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

export const chapterPath = (chapter: string): string => `${settingsPath}/${chapterSlug(chapter)}`

/** Chapters of external modules have no translation, so their declared names are shown. */
export function chapterName(lang: string, chapter: string): string {
  const { chapters } = adminTextsFor(lang).settings
  const slug = chapterSlug(chapter)
  return Object.hasOwn(chapters, slug) ? chapters[slug as keyof typeof chapters] : chapter
}

const sourceChips = { default: '', generated: '', environment: '', database: 'good' } as const

/** Returns the value and its source as display text. Secrets are never shown. */
export function settingFacts(lang: string, { name, value, set, secret, source, ...setting }: ListedSetting) {
  const { settings: texts } = adminTextsFor(lang)
  return {
    name,
    meaning: setting.meaning,
    value: value ?? undefined,
    noValue: secret && set ? texts.isSet : texts.notSet,
    source: texts.sources[source],
    chip: sourceChips[source],
    type: fill(texts.allowed, { type: setting.type }),
    byDefault: fill(texts.byDefault, { value: setting.default }),
    reason: setting.reason ? texts.reasons[setting.reason] : undefined,
    unused: setting.unused && fill(texts.unused, setting.unused),
  }
}
