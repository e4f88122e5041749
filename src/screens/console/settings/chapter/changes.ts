import type { ListedSetting, WantedChange } from '../settings.ts'

export type TypedSettings = Readonly<Record<string, string | undefined>>

/** Returns the stored value for the field. If no value is stored, the field is empty and the default applies. */
export const storedText = ({ source, value, unused }: ListedSetting): string =>
  unused?.value ?? (source === 'database' ? (value ?? '') : '')

export const hasField = ({ changeable, picture }: ListedSetting): boolean => changeable && !picture

/** Returns only the fields that differ from the stored values. An empty field selects the default. */
export const changesIn = (settings: readonly ListedSetting[], typed: TypedSettings): WantedChange[] =>
  settings.filter(hasField).flatMap((setting) => {
    const text = typed[setting.name]
    if (text === undefined || text === storedText(setting)) return []
    return [{ name: setting.name, value: text === '' ? null : text }]
  })
