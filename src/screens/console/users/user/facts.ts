import { languageName } from '../../../../lib/locale.ts'
import { atTime } from '../../../../ui/account/when.ts'
import type { ConsolePart, MemberWords } from '../../../../ui/console/console-part.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { PageLanguage } from '../../../../ui/texts/index.ts'
import type { ManagedUser } from './read-user.ts'

export interface Fact {
  label: string
  value: string
}

/** Returns the user data that no other part of the page shows. */
export function factsOf({ user, profile }: ManagedUser, lang: PageLanguage, timeZone: string | null): Fact[] {
  const { facts } = adminTextsFor(lang).person
  const all: [keyof typeof facts, string | null | undefined][] = [
    ['userName', user.user_name],
    ['displayName', profile?.display_name],
    ['title', user.title],
    ['phone', user.phone],
    ['lang', profile && languageName(lang, profile.lang)],
    ['timeZone', profile?.tmz],
    ['created', atTime(lang, user.created_at, timeZone)],
    ['changed', atTime(lang, user.updated_at, timeZone)],
    ['id', user.id],
  ]
  return all.flatMap(([name, value]) => (value ? [{ label: facts[name], value }] : []))
}

const ownMembers = new Set([
  'id',
  'email',
  'name',
  'last_name',
  'user_name',
  'user_type',
  'picture',
  'phone',
  'is_verified',
  'two_factor',
  'created_at',
  'updated_at',
  'first_time',
  'title',
  'deleted_at',
  'blocked',
])

/** The members that modules add to users. A member without a label is shown under its API name. */
export function otherMembers({ user }: ManagedUser, lang: string, parts: readonly ConsolePart[]): Fact[] {
  const { yes, no } = adminTextsFor(lang).person
  const words: Record<string, MemberWords> = Object.assign({}, ...parts.map(({ members }) => members?.(lang)))
  const shown = (name: string, value: unknown): string =>
    words[name]?.values?.[String(value)] ?? (typeof value === 'boolean' ? (value ? yes : no) : String(value))
  return Object.entries(user).flatMap(([name, value]) =>
    ownMembers.has(name) || value === null || value === undefined || value === ''
      ? []
      : [{ label: words[name]?.label ?? name, value: shown(name, value) }],
  )
}
