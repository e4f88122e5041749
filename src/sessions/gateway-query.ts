import type { FastifyRequest } from 'fastify'
import type { Context, CredentialKind, EffectiveRoles, UserRow } from '../context.ts'
import { ownScopesOf } from '../http/credentials/scopes.ts'
import { invalidField } from '../lib/errors.ts'

/** The demands of a gateway on each request. */
export interface GatewayQuery {
  application?: string
  permission?: string
  permissions?: boolean
  accept?: string
  scope?: string
}

/** Undefined if the gateway accepts only sessions, and knows of no other kind. */
export function acceptedKinds({ accept, scope }: GatewayQuery): readonly CredentialKind[] | undefined {
  if (accept === undefined && scope !== undefined) throw invalidField('scope', 'must be sent together with accept')
  return accept?.split(',') as CredentialKind[] | undefined
}

/** A key needs the permission as a scope. */
export const demandedScopes = ({ scope, permission }: GatewayQuery): readonly string[] => [
  ...(scope?.split(' ') ?? []),
  ...(permission === undefined ? [] : [permission]),
]

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

/** Undefined if the request has no key of an accepted kind. Otherwise, the headers that describe the key, or a rejection. */
export type VerifyKey = (
  request: FastifyRequest,
  demands: { accept: readonly CredentialKind[]; scopes: readonly string[]; address: string | undefined },
) => Promise<string[]> | undefined
