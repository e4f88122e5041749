import { onDay } from '../../../ui/account/when.ts'
import type { ConsolePart } from '../../../ui/console/console-part.ts'
import { fill, type PageLanguage } from '../../../ui/texts/index.ts'
import type { PrivacyDecision } from './history/view.ts'
import { privacyTextsFor } from './texts.ts'
import { decisionsMember, deletionOf, privacyActions } from './user-actions.ts'

export const consolePart: ConsolePart = {
  notice(details, lang, timeZone) {
    const deletion = deletionOf(details)
    if (!deletion) return undefined
    const day = (time: string) => onDay(lang as PageLanguage, time, timeZone)
    const { pendingDeletion } = privacyTextsFor(lang).admin
    return fill(pendingDeletion, { day: day(deletion.scheduled_for), since: day(deletion.requested_at) })
  },
  panels: [
    {
      title: (lang) => privacyTextsFor(lang).admin.title,
      empty: (lang) => privacyTextsFor(lang).history.none,
      rows: (details, lang) => {
        const decisions = details[decisionsMember] as PrivacyDecision[] | undefined
        const { history, admin } = privacyTextsFor(lang)
        return decisions?.map(({ event, version, source, created_at: at }) => ({
          title: history.events[event],
          text: [
            onDay(lang as PageLanguage, at, null),
            admin.sources[source],
            ...(version ? [fill(history.version, { version })] : []),
          ].join(' · '),
        }))
      },
    },
  ],
  actions: privacyActions,
  members: (lang) => {
    const { admin, region } = privacyTextsFor(lang)
    const values: Record<string, Record<string, string>> = { privacy_region: region.names, ...admin.memberValues }
    return Object.fromEntries(
      Object.entries(admin.members).map(([name, label]) => [
        name,
        { label, ...(values[name] && { values: values[name] }) },
      ]),
    )
  },
  sentences: (lang) => privacyTextsFor(lang).admin.sentences,
  ownSentences: (lang) => privacyTextsFor(lang).admin.ownSentences,
  eventGroup: (lang) => privacyTextsFor(lang).admin.eventGroup,
}
