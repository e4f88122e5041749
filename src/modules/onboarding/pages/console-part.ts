import type { ConsolePart } from '../../../ui/console/console-part.ts'
import { onboardingTextsFor } from './view.ts'

export const consolePart: ConsolePart = {
  members: (lang) =>
    Object.fromEntries(Object.entries(onboardingTextsFor(lang).members).map(([name, label]) => [name, { label }])),
  sentences: (lang) => onboardingTextsFor(lang).sentences,
  eventGroup: (lang) => onboardingTextsFor(lang).eventGroup,
}
