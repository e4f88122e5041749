import type { Config } from '../../config/load.ts'
import type { ProfileRoute } from '../../users/profile-schemas.ts'
import type { ResponseOf } from './api-route.ts'

/** The `data` of GET /auth/profile. */
export type AccountProfile = ResponseOf<typeof ProfileRoute>['data']

/** The user's initial, and the picture's path if this service hosts it. Pages load nothing from other hosts. */
export interface AccountPortrait {
  address: string | undefined
  letter: string
}

export function portraitOf({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>, user: AccountProfile['user']): AccountPortrait {
  const kept = `${PUBLIC_URL}/auth/pictures/`
  const address = user.picture.startsWith(kept) ? user.picture.slice(PUBLIC_URL.length) : undefined
  const [letter = ''] = displayNameOf(user)
  return { address, letter: letter.toUpperCase() }
}

/** Returns an empty string if the user has not entered a name. User names may be generated, so they are not used. */
export const nameOf = ({ display_name, name, last_name }: NamedUser): string =>
  display_name || [name, last_name].filter((part) => part !== '').join(' ')

/** Returns the name, or the email address of a user without a name. */
export const displayNameOf = (user: NamedUser & { email: string }): string => nameOf(user) || user.email

interface NamedUser {
  display_name?: string | null
  name: string
  last_name: string
}
