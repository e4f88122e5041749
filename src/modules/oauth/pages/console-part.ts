import { onDay } from '../../../ui/account/when.ts'
import type { ConsolePart, UserAction, UserDetails } from '../../../ui/console/console-part.ts'
import { call } from '../../../ui/shared/api-route.ts'
import { fill, type PageLanguage } from '../../../ui/texts/index.ts'
import { EndUserGrantsRoute } from '../grants/admin-schemas.ts'
import type { UserAccess } from '../grants/user-grants.ts'
import { oauthTextsFor } from './texts.ts'

/** The member of a user's details that contains the applications with access. */
export const accessMember = 'application_access'

const accessIn = (details: UserDetails): UserAccess | undefined =>
  (details[accessMember] ?? undefined) as UserAccess | undefined

const liveAccess = (details: UserDetails) =>
  accessIn(details)?.applications.filter(({ grants }) => grants.length > 0) ?? []

const endAccess: UserAction = {
  name: 'end-access',
  icon: 'application',
  right: 'end_sessions',
  isFor: (details) => accessIn(details)?.endable === true && liveAccess(details).length > 0,
  words: (lang) => oauthTextsFor(lang).userAccess.end,
  fields: [
    {
      name: 'client_id',
      label: (lang) => oauthTextsFor(lang).userAccess.which,
      maxLength: 100,
      choices: (lang, _, details) => [
        { value: '', label: oauthTextsFor(lang).userAccess.all },
        ...liveAccess(details).map(({ client_id, name }) => ({ value: client_id, label: name })),
      ],
    },
  ],
  call: ({ user }, { client_id }) =>
    call(EndUserGrantsRoute, { params: { user_id: user.id }, query: client_id ? { client_id } : {} }),
}

/** The access of applications on the page of a user, and the module's events in the audit trail of the console. */
export const oauthPart: ConsolePart = {
  panels: [
    {
      title: (lang) => oauthTextsFor(lang).userAccess.title,
      empty: (lang) => oauthTextsFor(lang).userAccess.none,
      rows: (details, lang) =>
        accessIn(details)?.applications.map(({ name, scopes, grants, first_used_at, last_used_at }) => {
          const { access: texts } = oauthTextsFor(lang)
          const at = (time: string) => onDay(lang as PageLanguage, time, null)
          const facts = [
            scopes.join(' '),
            first_used_at === null ? texts.unused : fill(texts.first, { time: at(first_used_at) }),
            ...(last_used_at === null ? [] : [fill(texts.used, { time: at(last_used_at) })]),
            ...(grants.some(({ offline }) => offline) ? [oauthTextsFor(lang).grants.lasting] : []),
          ]
          return { title: name, text: facts.join(' · ') }
        }),
    },
  ],
  actions: [endAccess],
  sentences: (lang) => oauthTextsFor(lang).sentences,
  eventGroup: (lang) => oauthTextsFor(lang).title,
}
