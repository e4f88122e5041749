import type { ValidatedKey } from './credential.ts'

/** The ids whose revocation invalidates the key, or undefined if the response is malformed. */
export function ownersOfKey(value: ValidatedKey | undefined, owners: unknown): string[] | undefined {
  if (!isValidatedKey(value) || !isListOfText(owners)) return undefined
  const holders = [value.user, value.service_account].filter((holder) => holder !== null)
  return [...new Set([value.key.id, ...holders.map(({ id }) => id), ...owners])]
}

/** Every member that a judgement of the key reads is checked, because a missing one must not permit more. */
function isValidatedKey(value: Partial<ValidatedKey> | undefined): value is ValidatedKey {
  const { kind, session, key, user, service_account, scopes, permissions, roles } = value ?? {}
  const holders = [user, service_account].filter((holder) => holder !== null)
  return (
    kind === 'api_key' &&
    session === null &&
    typeof key?.id === 'string' &&
    [key.ip_ranges, scopes, permissions, roles].every(isListOfText) &&
    holders.length === 1 &&
    holders.every((holder) => typeof holder?.id === 'string')
  )
}

const isListOfText = (list: unknown): list is string[] =>
  Array.isArray(list) && list.every((item) => typeof item === 'string')
