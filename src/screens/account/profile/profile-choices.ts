import { canonicalLanguage } from '../../../lib/locale.ts'
import type { ChoiceGroup } from '../../../ui/fields/field.ts'
import { type PageLanguage, pageLanguages } from '../../../ui/texts/index.ts'

export function languageChoices(
  lang: PageLanguage,
  chosen: string,
  anyLanguage: string,
  isDecided: boolean,
): ChoiceGroup[] {
  const tags = [...new Set([...pageLanguages, ...(isDecided && chosen ? [chosen] : [])])]
  const named = tags.map((tag) => ({ value: tag, label: languageName(tag, lang) }))
  const all = isDecided ? named : [{ value: '', label: anyLanguage }, ...named]
  return [{ choices: all }]
}

/** Stored values that are not valid language tags are shown unchanged. */
function languageName(text: string, lang: PageLanguage): string {
  const tag = canonicalLanguage(text)
  if (tag === undefined) return text
  const name = new Intl.DisplayNames([tag, lang], { type: 'language' }).of(tag) ?? tag
  return `${name[0]?.toLocaleUpperCase(tag)}${name.slice(1)}`
}

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

export function zoneChoices(chosen: string, texts: { noZone: string; otherZones: string }): ChoiceGroup[] {
  const known = chosen === '' || zones.includes(chosen) ? zones : [chosen, ...zones]
  const regions = Map.groupBy(known, (zone) => (zone.includes('/') ? zone.slice(0, zone.indexOf('/')) : ''))
  const choice = (value: string, label: string) => ({ value, label })
  return [
    { choices: [choice('', texts.noZone)] },
    ...[...regions].map(([region, members]) => ({
      label: region || texts.otherZones,
      choices: members.map((zone) => choice(zone, zone.slice(region ? region.length + 1 : 0).replaceAll('_', ' '))),
    })),
  ]
}
