import type { AccountProfile } from './member.ts'

export const displayNameOf = ({ display_name, name, last_name, user_name }: AccountProfile['user']): string =>
  display_name || [name, last_name].filter((part) => part !== '').join(' ') || user_name
