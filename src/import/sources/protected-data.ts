import type { Row } from './read-row.ts'
import type { UserSourceOptions } from './source.ts'

/** Users can edit their metadata, so members that only administrators could edit are copied only on request. */
export const protectedDataOption =
  'comma-separated names of protected members to copy to `metadata`, which users can edit'
export const rolesOption = 'roles to keep, such as editor=writer,shop_manager=support; other roles are not kept'

/** Returns the members that are listed in `names`. */
export function copiedData(data: Row, names: string | undefined): Row {
  const wanted = (names ?? '').split(',').map((name) => name.trim())
  return Object.fromEntries(wanted.flatMap((name) => (Object.hasOwn(data, name) ? [[name, data[name]]] : [])))
}

export const isAllCopied = (data: Row, names: string | undefined): boolean =>
  Object.keys(copiedData(data, names)).length === Object.keys(data).length

/** A role with the same name can have different rights here, so only listed roles are kept. The first match is used. */
export function roleOf(roles: readonly string[], { roles: option = '' }: UserSourceOptions) {
  const pairs = option.split(',').map((pair) => pair.split('=').map((part) => part.trim()))
  const others = pairs.find(([theirs]) => theirs === '*' && roles.length > 0)
  const [, own] = pairs.find(([theirs]) => theirs && roles.includes(theirs)) ?? others ?? []
  const known = new Set(pairs.map(([theirs]) => theirs))
  return { user_type: own || undefined, lost: { roles: !others && roles.some((role) => !known.has(role)) } }
}
