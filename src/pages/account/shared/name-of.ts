import type { Profile } from './member.ts'

/** How a person is called; the user name is always there. */
export const nameOf = ({ display_name, name, last_name, user_name }: Profile['user']): string =>
  display_name || [name, last_name].filter((part) => part !== '').join(' ') || user_name
