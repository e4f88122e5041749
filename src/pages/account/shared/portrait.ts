import type { Config } from '../../../config/load.ts'
import type { Profile } from './member.ts'
import { nameOf } from './name-of.ts'

/** An image served by this service, or an initial. Pages load nothing from other hosts. */
export interface Portrait {
  address: string | undefined
  letter: string
}

export function portraitOf({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>, user: Profile['user']): Portrait {
  const kept = `${PUBLIC_URL}/auth/pictures/`
  const address = user.picture.startsWith(kept) ? user.picture.slice(PUBLIC_URL.length) : undefined
  const [letter = ''] = nameOf(user)
  return { address, letter: letter.toUpperCase() }
}
