import type { Config } from '../../../config/load.ts'
import type { AccountProfile } from './account-visit.ts'

/** A picture from this service, or an initial. Pages load nothing from other hosts. */
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

export const displayNameOf = ({ display_name, name, last_name, user_name }: AccountProfile['user']): string =>
  display_name || [name, last_name].filter((part) => part !== '').join(' ') || user_name
