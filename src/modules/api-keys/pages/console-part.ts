import { onDay } from '../../../ui/account/when.ts'
import type { ConsolePart, UserAction, UserDetails } from '../../../ui/console/console-part.ts'
import { call } from '../../../ui/shared/api-route.ts'
import { fill, type PageLanguage } from '../../../ui/texts/index.ts'
import { RevokeUserKeysRoute } from '../user-key-schemas.ts'
import type { UserKeys } from '../user-keys.ts'
import { keyTextsFor } from './texts.ts'

/** The member of a user's details that contains their keys. */
export const keysMember = 'api_keys'

const keysIn = (details: UserDetails): UserKeys | undefined =>
  (details[keysMember] ?? undefined) as UserKeys | undefined

const liveKeys = (details: UserDetails) => keysIn(details)?.keys.filter(({ status }) => status !== 'ended') ?? []

const revokeKeys: UserAction = {
  name: 'revoke-keys',
  icon: 'key',
  right: 'end_sessions',
  isFor: (details) => keysIn(details)?.revocable === true && liveKeys(details).length > 0,
  words: (lang) => keyTextsFor(lang).admin.revoke,
  fields: [
    {
      name: 'key_id',
      label: (lang) => keyTextsFor(lang).admin.which,
      maxLength: 100,
      choices: (lang, _, details) => [
        { value: '', label: keyTextsFor(lang).admin.all },
        ...liveKeys(details).map(({ id, name, hint }) => ({ value: id, label: `${name} (${hint})` })),
      ],
    },
  ],
  call: ({ user }, { key_id: id }) =>
    call(RevokeUserKeysRoute, { params: { user_id: user.id }, body: id ? { key_ids: [id] } : {} }),
}

export const consolePart: ConsolePart = {
  panels: [
    {
      title: (lang) => keyTextsFor(lang).title,
      empty: (lang) => keyTextsFor(lang).admin.none,
      rows: (details, lang) =>
        keysIn(details)?.keys.map(({ name, hint, status, ends_at, ended_at, last_used_at }) => {
          const texts = keyTextsFor(lang)
          const at = (time: string) => onDay(lang as PageLanguage, time, null)
          const end = ends_at === null ? texts.endless : fill(texts.ends, { time: at(ends_at) })
          const facts = [
            hint,
            ...(status === 'rotated' ? [texts.status.rotated] : []),
            ended_at === null ? end : fill(texts.ended, { time: at(ended_at) }),
            last_used_at === null ? texts.neverUsed : fill(texts.used, { time: at(last_used_at) }),
          ]
          return { title: name, text: facts.join(' · ') }
        }),
    },
  ],
  actions: [revokeKeys],
  sentences: (lang) => keyTextsFor(lang).admin.sentences,
  eventGroup: (lang) => keyTextsFor(lang).title,
}
