import { credentialKinds } from '../context/credentials.ts'
import { invalidField } from '../lib/errors.ts'
import { maxPermissionKey, permissionPattern } from '../users/permission-keys.ts'

export const maxScopes = 20
export const maxScope = maxPermissionKey
export const scopePattern = permissionPattern
export const permissionField = {
  type: ['string', 'null'],
  maxLength: maxPermissionKey,
  pattern: permissionPattern,
  keepNull: true,
}

/** The command line and files have no schema. */
export function readAccept(given: string[]): string[] {
  const kinds: readonly string[] = credentialKinds
  const wrong = given.find((kind) => !kinds.includes(kind))
  if (wrong !== undefined) throw invalidField('gateway_accept', `must contain only ${kinds.join(', ')}`)
  return kinds.filter((kind) => given.includes(kind))
}

export function readGatewayScope(given: string[]): string[] {
  if (given.length > maxScopes) throw invalidField('gateway_scope', `must not contain more than ${maxScopes} scopes`)
  if (!given.every(isPermission)) throw invalidField('gateway_scope', 'must contain scopes such as invoices:read')
  return [...new Set(given)].toSorted()
}

export function readGatewayPermission(given: string | null): string | null {
  if (given === null || isPermission(given)) return given
  throw invalidField('gateway_permission', 'must be a permission such as invoices:write')
}

const isPermission = (text: string): boolean =>
  text.length <= maxPermissionKey && new RegExp(permissionPattern).test(text)
