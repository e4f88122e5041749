import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import { fill } from '../../../../ui/texts/index.ts'
import { settingWords } from '../../settings/setting-words.ts'
import type { ListedSetting } from '../../settings/settings.ts'
import type { ListedModule } from '../modules.ts'

/** A switch has no effect until the module is installed. */
export const switchesOf = (
  lang: string,
  module: ListedModule,
  switches: readonly ListedSetting[],
  maySwitch: boolean,
) => (module.status === 'not_installed' ? [] : switches.map((one) => switchOf(lang, module, one, maySwitch)))

function switchOf(lang: string, { name: module, switches }: ListedModule, setting: ListedSetting, maySwitch: boolean) {
  const { modules: texts, settings } = adminTextsFor(lang)
  const { name, value, changeable, meaning, reason } = setting
  const isOn = value === 'true'
  // With several switches, one does not turn on the whole module, so the button must not name the module.
  const isOnly = switches.length === 1
  const label = isOn
    ? isOnly
      ? texts.switchOffModule
      : texts.switchOff
    : isOnly
      ? texts.switchOnModule
      : texts.switchOn
  return {
    name,
    ...settingWords(lang, name, meaning),
    state: isOn ? texts.on : texts.off,
    chip: isOn ? 'good' : 'warn',
    next: String(!isOn),
    isOn,
    isOnly,
    button: changeable && maySwitch ? fill(label, { module }) : undefined,
    reason: reason ? settings.reasons[reason] : maySwitch ? undefined : settings.onlySuperadmins,
  }
}

/** Explains why an installed module cannot be used. */
export function offText(lang: string, module: ListedModule, switches: readonly ListedSetting[]): string | undefined {
  const { modules: texts } = adminTextsFor(lang)
  if (module.status === 'not_installed' || module.enabled) return undefined
  const off = switches.filter(({ value }) => value !== 'true')
  if (off.length === switches.length) return fill(texts.offText, { module: module.name })
  const names = off.map(({ name, meaning }) => settingWords(lang, name, meaning).label).join(', ')
  return fill(texts.offElsewhere, { module: module.name, names })
}
