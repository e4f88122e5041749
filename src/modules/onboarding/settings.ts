import {
  type ChangeableIn,
  changeable,
  list,
  type Setting,
  SettingProblem,
  type SettingValues,
} from '../../config/kinds.ts'
import { isWriteOnlyName } from '../../lib/write-only.ts'

/** `start` is reserved for the data that clients send when starting the wizard. */
export const isStepName = (name: string): boolean =>
  /^[a-z][a-z0-9_-]{0,39}$/.test(name) && name !== 'start' && !isWriteOnlyName(name)

const stepName = (item: string) =>
  isStepName(item) ? item : new SettingProblem(`"${item}" is not a name of a step such as company`)

const names = list('onboarding step names, in order; empty: any steps in any order', stepName)

const steps: Setting<string[]> = {
  ...names,
  read(text) {
    const read = names.read(text)
    if (read instanceof SettingProblem) return read
    if (read.length > 32) return new SettingProblem('must name at most 32 steps')
    return new Set(read).size < read.length ? new SettingProblem('must name each step once') : read
  },
}

export const onboardingSettings = { ONBOARDING_STEPS: changeable(steps) } as const

type OnboardingSettings = SettingValues<typeof onboardingSettings>

declare module '../../config/load.ts' {
  interface Config extends OnboardingSettings {}
  interface ChangeableSettings extends ChangeableIn<typeof onboardingSettings> {}
}
