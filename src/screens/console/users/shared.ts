import type { SearchRoute } from '../../../admin/search-schemas.ts'
import { inWords } from '../../../http/access/device.ts'
import { day, hour } from '../../../lib/time.ts'
import { onDay } from '../../../ui/account/when.ts'
import { type RolesInWords, roleName } from '../../../ui/console/roles.ts'
import { adminTextsFor } from '../../../ui/console/texts/index.ts'
import type { ResponseOf } from '../../../ui/shared/api-route.ts'
import type { PageLanguage } from '../../../ui/texts/index.ts'

export const usersPath = '/admin/people'

export const userPagePath = (id: string): string => `${usersPath}/${encodeURIComponent(id)}`

/** A user in the API's responses to staff. Modules add members. */
export type ListedUser = ResponseOf<typeof SearchRoute>['data']['users'][number]

export const fullNameOf = ({ name, last_name, email }: Pick<ListedUser, 'name' | 'last_name' | 'email'>): string =>
  [name, last_name].filter((part) => part !== '').join(' ') || email

/** Formats a lifetime in days if it is three days or longer, and in hours if it is shorter. */
export function durationText(lang: string, lifetime: number): string {
  const [unit, size] = lifetime >= 3 * day ? (['day', day] as const) : (['hour', hour] as const)
  return new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'long' }).format(Math.floor(lifetime / size))
}

/** The day of a deletion, and the last day on which the user can be restored. */
export const deletionDays = (lang: PageLanguage, { deletedAt, deletedRetention, timeZone = null }: Deletion) => ({
  day: onDay(lang, deletedAt, timeZone),
  until: onDay(lang, new Date(Date.parse(deletedAt) + deletedRetention).toISOString(), timeZone),
})

interface Deletion {
  deletedAt: string
  /** In milliseconds. */
  deletedRetention: number
  timeZone?: string | null
}

export interface Chip {
  label: string
  kind: '' | 'good' | 'warn' | 'bad'
}

/**
 * Returns chips for properties that staff should notice, such as a role or a block. Normal states have no chip. Users
 * with a pending invitation have the `invited` chip instead of `unverified`.
 */
export function chipsOf(
  lang: string,
  { user, state = 'joined' }: { user: ListedUser; state?: 'joined' | 'invited' },
  roles: RolesInWords,
): Chip[] {
  const { chips } = adminTextsFor(lang).people
  return [
    ...(user.user_type === 'customer' ? [] : [{ label: roleName(lang, user.user_type, roles), kind: '' as const }]),
    ...(user.deleted_at ? [{ label: chips.deleted, kind: 'bad' as const }] : []),
    ...(user.blocked ? [{ label: chips.blocked, kind: 'bad' as const }] : []),
    ...(user.is_verified
      ? []
      : [{ label: state === 'invited' ? chips.invited : chips.unverified, kind: 'warn' as const }]),
  ]
}

/** Returns the user's initial, and the picture's path if this service hosts it. Pages load nothing from other hosts. */
export function faceOf(publicUrl: string, user: ListedUser): { address: string | undefined; letter: string } {
  const own = user.picture.startsWith(`${publicUrl}/auth/pictures/`)
  const [letter = ''] = fullNameOf(user)
  return { address: own ? user.picture.slice(publicUrl.length) : undefined, letter: letter.toUpperCase() }
}

export const deviceName = (userAgent: string, userDevice: string, unknown: string): string => {
  const words = inWords(userAgent)
  return userDevice !== '' && userDevice !== words ? [userDevice, words].filter(Boolean).join(' · ') : words || unknown
}
