import { onDay } from '../../../pages/account/shared/when.ts'
import type { ConsolePart, PersonDetails } from '../../../pages/admin/shared/console-part.ts'
import { fill, type PageLanguage } from '../../../pages/texts/index.ts'
import { type ListedMethod, methodNameOf } from './security/shared/methods.ts'
import { securityTextsFor } from './texts.ts'

/** The member of a user's details with the factors that are set up. */
export const factorsMember = 'second_factors'

const factorsOf = (details: PersonDetails): ListedMethod[] | undefined =>
  details[factorsMember] as ListedMethod[] | undefined

export const consolePart: ConsolePart = {
  panels: [
    {
      title: (lang) => securityTextsFor(lang).admin.panel.title,
      empty: (lang) => securityTextsFor(lang).admin.panel.empty,
      rows: (details, lang) =>
        factorsOf(details)?.map((method) => {
          const { security: texts, admin } = securityTextsFor(lang)
          const { last_used_at: used, status } = method
          const day = used === null ? '' : onDay(lang as PageLanguage, used, null)
          const use = used === null ? admin.panel.neverUsed : fill(admin.panel.used, { date: day })
          return {
            title: methodNameOf(texts, method),
            text: status === 'active' ? use : `${admin.panel.unfinished} · ${use}`,
          }
        }),
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
