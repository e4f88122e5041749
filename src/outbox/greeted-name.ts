import type { UserRow } from '../context.ts'

/** Only a proven address is greeted by name: anywhere else it may be the text that somebody wants a stranger to read. */
export const greetedName = ({ name, is_verified }: Pick<UserRow, 'name' | 'is_verified'>): string =>
  is_verified ? name : ''
