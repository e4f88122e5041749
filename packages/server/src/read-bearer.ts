import type { ValidatedBearer } from './credential.ts'

/** The ids whose revocation invalidates the key or token, or undefined if the response is malformed. */
export function ownersOfBearer(value: ValidatedBearer | undefined, owners: unknown): string[] | undefined {
  if (!isValidated(value) || !isListOfText(owners)) return undefined
  const holders = [value.user, value.service_account, value.key].filter((holder) => holder !== null)
  return [...new Set([...holders.map(({ id }) => id), ...owners])]
}

/** Every member that a judgement reads is checked, because a missing one must not permit more. */
function isValidated(value: Partial<ValidatedBearer> | undefined): value is ValidatedBearer {
  const { session, user, service_account, scopes, permissions, roles, methods } = value ?? {}
  const holders = [user, service_account].filter((holder) => holder !== null)
  return (
    session === null &&
    [scopes, permissions, roles, methods].every(isListOfText) &&
    holders.length === 1 &&
    holders.every((holder) => typeof holder?.id === 'string') &&
    (isKeyOf(value) || isTokenOf(value))
  )
}

const isKeyOf = (value: Partial<ValidatedBearer> | undefined): boolean =>
  value?.kind === 'api_key' && typeof value.key?.id === 'string' && isListOfText(value.key.ip_ranges)

const isTokenOf = (value: Partial<ValidatedBearer> | undefined): boolean =>
  value?.kind === 'token' &&
  value.key === null &&
  typeof value.client?.id === 'string' &&
  typeof value.resource === 'string' &&
  typeof value.expires_at === 'string' &&
  (value.authenticated_at === null || typeof value.authenticated_at === 'string')

const isListOfText = (list: unknown): list is string[] =>
  Array.isArray(list) && list.every((item) => typeof item === 'string')
