import type { Config } from '../../config/load.ts'

// biome-ignore lint/suspicious/noEmptyInterface: modules add members.
export interface ModuleProfileMembers {}

/** The response of GET /auth/profile. */
export interface AccountProfile {
  user: ModuleProfileMembers & {
    id: string
    email: string
    name: string
    last_name: string
    user_name: string
    user_type: string
    picture: string
    is_verified: boolean
    tmz: string | null
    dob: string | null
    display_name: string | null
    gender: string | null
    title: string | null
  }
  phone: string
  /** Null if the browser's language is used. */
  lang: string | null
  has_password: boolean
}

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
export const nameOf = ({ display_name, name, last_name }: AccountProfile['user']): string =>
  display_name || [name, last_name].filter((part) => part !== '').join(' ')

/** Returns the name, or the email address of a user without a name. */
export const displayNameOf = (user: AccountProfile['user']): string => nameOf(user) || user.email
