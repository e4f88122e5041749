import { onDay } from '../../../pages/account/shared/when.ts'
import type { ConsolePart, PersonDetails } from '../../../pages/admin/shared/console-part.ts'
import { fill, type PageLanguage } from '../../../pages/texts/index.ts'
import { isSent, type ListedMethod, methodNameOf } from './security/shared/methods.ts'
import { securityTextsFor } from './texts.ts'

/** The member of a user's details containing the enrolled factors. */
export const factorsMember = 'second_factors'

/** For staff who may not see the user's sessions, the API returns only the kind and the status. */
type ShownMethod = ListedMethod | Pick<ListedMethod, 'method' | 'status'>

const factorsOf = (details: PersonDetails): ShownMethod[] | undefined =>
  details[factorsMember] as ShownMethod[] | undefined

function rowOf(method: ShownMethod, lang: string): { title: string; text: string } {
  const { security: texts, admin } = securityTextsFor(lang)
  const { neverUsed, used, unfinished, kinds } = admin.panel
  const isUnfinished = method.status !== 'active'
  if (!('last_used_at' in method)) {
    const title = isSent(method) ? kinds[method.method] : texts.kinds[method.method]
    return { title, text: isUnfinished ? unfinished : '' }
  }
  const { last_used_at: time } = method
  const use = time === null ? neverUsed : fill(used, { date: onDay(lang as PageLanguage, time, null) })
  return { title: methodNameOf(texts, method), text: isUnfinished ? `${unfinished} · ${use}` : use }
}

export const consolePart: ConsolePart = {
  panels: [
    {
      title: (lang) => securityTextsFor(lang).admin.panel.title,
      empty: (lang) => securityTextsFor(lang).admin.panel.empty,
      rows: (details, lang) => factorsOf(details)?.map((method) => rowOf(method, lang)),
    },
  ],
  actions: [
    {
      name: 'reset-factors',
      icon: 'shield',
      isDangerous: true,
      isFor: (details) => (factorsOf(details)?.length ?? 0) > 0,
      words: (lang) => securityTextsFor(lang).admin.reset,
      call: ({ user }) => ({ method: 'DELETE', path: `/auth/admin/users/${encodeURIComponent(user.id)}/two_factor` }),
    },
  ],
  sentences: (lang) => securityTextsFor(lang).admin.sentences,
}
