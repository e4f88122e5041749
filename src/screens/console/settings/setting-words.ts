import { adminTextsFor, settingMeaning } from '../../../ui/console/texts/index.ts'
import { fill } from '../../../ui/texts/index.ts'
import { type ListedSetting, settingAnchor } from './settings.ts'

const sourceChips = { default: '', generated: '', environment: '', database: 'good' } as const

/** Returns the value and its source as display text. Secrets are never shown. */
export function settingFacts(lang: string, setting: ListedSetting) {
  const { name, value, set, secret, source, reason, unused } = setting
  const { settings: texts } = adminTextsFor(lang)
  return {
    name,
    anchor: settingAnchor(name),
    ...settingWords(lang, name, setting.meaning),
    value: value === null ? undefined : valueWords(lang, setting, value),
    noValue: secret && set ? texts.isSet : texts.notSet,
    source: source === 'default' ? undefined : texts.sources[source],
    chip: sourceChips[source],
    type: allowedWords(lang, setting.type),
    byDefault: defaultWords(lang, setting),
    reason: reason ? texts.reasons[reason] : undefined,
    unused: unused && fill(texts.unused, unused),
  }
}

interface SettingWords {
  label: string
  hint: string
  /** The language of the label and the hint. */
  meaningLang: string
}

/** The first clause of a setting's description is the label, and the rest is the hint. */
export function settingWords(lang: string, name: string, meaning: string): SettingWords {
  const { meaning: known, meaningLang } = settingMeaning(lang, name, meaning)
  const [, label = known, hint = ''] = /^(.+?)[;:] (.+)$/s.exec(known) ?? []
  return { label: capitalized(label.replaceAll('`', '')), hint: hint && `${capitalized(hint)}.`, meaningLang }
}

/** Leaves a value at the beginning, such as `auto:`, unchanged. */
const capitalized = (text: string): string => text.replace(/^\p{Ll}(?!\S*[:_\d])/u, (letter) => letter.toUpperCase())

const isSwitch = ({ choices }: ListedSetting): boolean => choices?.join() === 'true,false'

/** Values that are set in the environment are shown as they are written there. */
export function valueWords(lang: string, setting: ListedSetting, value: string): string {
  const { modules, settings: texts } = adminTextsFor(lang)
  if (setting.changeable && isSwitch(setting)) return value === 'true' ? modules.on : modules.off
  const words: Readonly<Record<string, Readonly<Record<string, string>>>> = texts.choices
  const known = setting.changeable && Object.hasOwn(words, setting.name) ? words[setting.name] : undefined
  if (known && Object.hasOwn(known, value)) return known[value] ?? value
  return value === setting.default && Object.hasOwn(texts.defaults, value)
    ? texts.defaults[value as keyof typeof texts.defaults]
    : value
}

const defaultWords = (lang: string, setting: ListedSetting): string =>
  fill(adminTextsFor(lang).settings.byDefault, { value: valueWords(lang, setting, setting.default) })

/** Describes the allowed values and their format. */
function allowedWords(lang: string, type: string): string {
  const { settings: texts } = adminTextsFor(lang)
  if (type === 'text') return ''
  if (Object.hasOwn(texts.types, type)) return texts.types[type as keyof typeof texts.types]
  const [, low, high] = /^(\d+[smhd])–(\d+[smhd])$/.exec(type) ?? []
  if (!low || !high) return fill(texts.allowed, { type: type.replace(/^file: /, '') })
  return fill(texts.duration, { min: low, max: high })
}

/** In the form, the value of the default choice is empty unless the default itself is stored. */
export function choicesOf(lang: string, setting: ListedSetting, stored: string) {
  const { settings: texts } = adminTextsFor(lang)
  const { choices, default: byDefault } = setting
  if (!choices) return undefined
  const all = choices.map((value) => {
    const label = valueWords(lang, setting, value)
    if (value !== byDefault) return { value, label, isDefault: false }
    return { value: stored === value ? value : '', label: fill(texts.isDefault, { value: label }), isDefault: true }
  })
  if (all.some(({ isDefault }) => isDefault)) return all
  return [{ value: '', label: defaultWords(lang, setting), isDefault: true }, ...all]
}
