import type { FastifyRequest } from 'fastify'
import type { Application, Context, CredentialKind, EffectiveRoles, SessionView, UserRow } from '../context.ts'
import { ownScopesOf } from '../http/credentials/scopes.ts'
import { AppError, invalidField } from '../lib/errors.ts'

/** The demands of a gateway on each request. */
export interface GatewayQuery {
  application?: string
  permission?: string
  permissions?: boolean
  accept?: string
  scope?: string
  /** The API for which an access token must have been issued. */
  resource?: string
}

/** The demands of an application at the paths whose query is the visitor's. */
export function demandsOf({ gateway }: Pick<Application, 'gateway'>): GatewayQuery {
  if (!gateway) return {}
  const { accept, scope, permission, resource } = gateway
  // Scopes are demanded of sessions as well, so they take effect even without kinds.
  const kinds = accept.length > 0 ? accept : scope.length > 0 ? ['session'] : []
  return {
    ...(kinds.length > 0 && { accept: kinds.join() }),
    ...(scope.length > 0 && { scope: scope.join(' ') }),
    ...(permission !== null && { permission }),
    ...(resource !== null && { resource }),
  }
}

/** Undefined if the gateway accepts only sessions, and knows of no other kind. */
export function acceptedKinds({ accept, scope, resource }: GatewayQuery): readonly CredentialKind[] | undefined {
  if (accept === undefined && scope !== undefined) throw invalidField('scope', 'must be sent together with accept')
  const kinds = accept?.split(',') as CredentialKind[] | undefined
  if (kinds?.includes('token') && resource === undefined) throw new AppError('RESOURCE_REQUIRED')
  if (resource !== undefined && !kinds?.includes('token'))
    throw invalidField('resource', 'must be sent together with accept, which must contain token')
  return kinds
}

/** A key needs the permission as a scope. */
export const keyDemandsIn = ({ scope, permission, resource }: GatewayQuery) => ({
  scopes: [...(scope?.split(' ') ?? []), ...(permission === undefined ? [] : [permission])],
  resource,
})

/** A session has all the rights of its user. */
export const holdsScopes = (
  ctx: Context,
  user: UserRow,
  roles: EffectiveRoles | undefined,
  scopes: readonly string[],
): boolean => {
  const own = ownScopesOf(ctx, user)
  return scopes.every((scope) => own.includes(scope) || roles?.has(scope) === true)
}

export const asksForRoles = ({ permission, permissions, scope }: GatewayQuery): boolean =>
  permission !== undefined || permissions === true || scope !== undefined

/** The rejection of a session whose user lacks the permission or a right that is demanded as a scope. */
export function missingRight(
  ctx: Context,
  { user }: Pick<SessionView, 'user'>,
  roles: EffectiveRoles | undefined,
  { permission, scope }: GatewayQuery,
): AppError | undefined {
  if (permission !== undefined && !roles?.has(permission))
    return new AppError('FORBIDDEN', { sentence: `The user lacks the permission ${permission}` })
  const required = scope?.split(' ')
  if (required && !holdsScopes(ctx, user, roles, required)) return new AppError('INSUFFICIENT_SCOPE', { required })
  return undefined
}

export interface KeyDemands {
  accept: readonly CredentialKind[]
  scopes: readonly string[]
  /** Of the visitor. */
  address: string | undefined
  resource: string | undefined
}

/** Undefined if the request has no key of an accepted kind. Otherwise, the headers that describe the key, or a rejection. */
export type VerifyKey = (request: FastifyRequest, demands: KeyDemands) => Promise<string[]> | undefined
