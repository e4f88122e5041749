import { onDay } from '../../../ui/account/when.ts'
import type { ConsolePart, RecordedEvent, UserDetails } from '../../../ui/console/console-part.ts'
import { call } from '../../../ui/shared/api-route.ts'
import { fill, type PageLanguage } from '../../../ui/texts/index.ts'
import { ResetRoute } from '../admin-schemas.ts'
import { isSent, type ListedMethod, methodNameOf } from './security/shared/methods.ts'
import { securityTextsFor } from './texts.ts'

/** The member of a user's details that contains the enrolled factors. */
export const factorsMember = 'second_factors'

/** For staff who may not see the user's sessions, the API returns only the kind and the status. */
type ShownMethod = ListedMethod | Pick<ListedMethod, 'method' | 'status'>

const factorsOf = (details: UserDetails): ShownMethod[] | undefined =>
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

/** Says which factors were removed, or that the second step was turned off without removing any factor. */
function removedSentence(lang: string, { event, details }: RecordedEvent): string | undefined {
  if (event !== 'mfa_removed') return undefined
  const { security, admin } = securityTextsFor(lang)
  const { one, all, off } = admin.removed
  if (details.reason === 'toggle') return off
  const names: Readonly<Record<string, string>> = { ...security.kinds, ...admin.panel.kinds }
  const nameOf = (kind: unknown) => (typeof kind === 'string' && Object.hasOwn(names, kind) ? names[kind] : undefined)
  const methods = [details.methods ?? details.method].flat().flatMap((kind) => nameOf(kind) ?? [])
  if (methods.length === 0) return undefined
  return fill(details.reason === 'reset_by_admin' ? all : one, { methods: [...new Set(methods)].join(', ') })
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
      right: 'change_protection',
      isDangerous: true,
      isFor: (details) => (factorsOf(details)?.length ?? 0) > 0,
      words: (lang) => securityTextsFor(lang).admin.reset,
      call: ({ user }) => call(ResetRoute, { params: { user_id: user.id } }),
    },
  ],
  sentences: (lang) => securityTextsFor(lang).admin.sentences,
  eventGroup: (lang) => securityTextsFor(lang).admin.eventGroup,
  detailed: removedSentence,
}
