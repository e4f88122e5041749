import type { ConsolePart } from '../../../ui/console/console-part.ts'
import { oauthTextsFor } from './texts.ts'

/** The module's events in the audit trail of the console. */
export const oauthEvents: ConsolePart = {
  sentences: (lang) => oauthTextsFor(lang).sentences,
  eventGroup: (lang) => oauthTextsFor(lang).title,
}
