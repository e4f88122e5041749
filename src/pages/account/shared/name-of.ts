import type { Profile } from './member.ts'

export const nameOf = ({ display_name, name, last_name, user_name }: Profile['user']): string =>
  display_name || [name, last_name].filter((part) => part !== '').join(' ') || user_name
