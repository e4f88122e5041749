import type { UserRow } from '../context.ts'

/** Only verified addresses are greeted by name, because a name could be a message to a stranger. */
export const greetedName = ({ name, is_verified }: Pick<UserRow, 'name' | 'is_verified'>): string =>
  is_verified ? name : ''
