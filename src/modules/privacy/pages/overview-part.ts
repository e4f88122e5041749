import type { ReadOverviewPart } from '../../../ui/account/overview-part.ts'
import { onDay } from '../../../ui/account/when.ts'
import { personalDataPath } from '../../../ui/paths.ts'
import { fill } from '../../../ui/texts/index.ts'
import { pendingDeletionOf } from './pending-deletion.ts'
import { privacyTextsFor } from './texts.ts'

/** Shows a pending deletion in the account overview. */
export const privacyOverview: ReadOverviewPart = async (_, { api, profile }) => {
  const date = await pendingDeletionOf(api)
  if (!date) return {}
  return {
    notice(lang) {
      const { deletion: texts } = privacyTextsFor(lang)
      const text = fill(texts.pending, { date: onDay(lang, date, profile.user.tmz) })
      return { text, link: { path: personalDataPath, label: texts.review } }
    },
  }
}
