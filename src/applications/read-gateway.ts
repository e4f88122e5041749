import { credentialKinds } from '../context/credentials.ts'
import { invalidField } from '../lib/errors.ts'
import { maxPermissionKey, permissionPattern } from '../users/permission-keys.ts'

export const maxScopes = 20
export const maxScope = maxPermissionKey
export const scopePattern = permissionPattern
/** As long as an identifier of an API can be. */
export const maxResource = 500
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

export function readGatewayResource(given: string | null): string | null {
  if (given === null || (given.length <= maxResource && /^[a-z][a-z0-9+.-]*:[\x21\x24-\x7e]+$/i.test(given)))
    return given
  throw invalidField('gateway_resource', 'must be the identifier of an API, such as https://api.example.com')
}

interface Gateway {
  gateway_accept: readonly string[]
  gateway_resource: string | null
}

/** Without the API, no token would be accepted, and without tokens, the API would mean nothing. */
export function assertGateway({ gateway_accept: accept, gateway_resource: resource }: Gateway): void {
  if (accept.includes('token') && resource === null)
    throw invalidField('gateway_resource', 'is required if gateway_accept contains token')
  if (resource !== null && !accept.includes('token'))
    throw invalidField('gateway_resource', 'requires token in gateway_accept')
}

const isPermission = (text: string): boolean =>
  text.length <= maxPermissionKey && new RegExp(permissionPattern).test(text)
