import type { Context } from '../../../context.ts'
import { ownPrefix } from '../../../http/credentials/scopes.ts'
import { AppError } from '../../../lib/errors.ts'
import { sameResource } from '../../../lib/same-resource.ts'
import type { Client } from '../clients/client-view.ts'
import type { Resource, ResourceSet } from '../resources/resource-set.ts'

/** The API of this service, whose identifier is PUBLIC_URL. */
export const ownApi = 'own'

export type Target = Resource | typeof ownApi

export interface AskedAccess {
  scope: string | undefined
  resource: string | undefined
}

interface Granted {
  target: Target
  scopes: readonly string[]
}

/** RFC 6749, 3.3: separated by spaces, in any order. */
export const scopesIn = (text: string | undefined): string[] => [...new Set((text ?? '').split(' ').filter(Boolean))]

/**
 * What a client gets that asks for these scopes and this resource. Without a resource, it is the only one that has all the
 * scopes, or else the client's first one. Without scopes, they are all that the client has there.
 * Throws invalid_target or invalid_scope.
 */
export function grantedTo(ctx: Context, resources: ResourceSet, client: Client, asked: AskedAccess): Granted {
  const scopes = scopesIn(asked.scope)
  const targets = targetsOf(resources, client)
  const named =
    asked.resource === undefined ? undefined : targets.find((target) => isNamed(ctx, target, asked.resource ?? ''))
  if (asked.resource !== undefined && !named) throw new AppError('invalid_target')
  const target = named ?? targetOf(ctx, targets, client, scopes)
  const allowed = scopesAt(ctx, target, client.scopes)
  if (!scopes.every((scope) => allowed.includes(scope))) throw new AppError('invalid_scope')
  return { target, scopes: scopes.length > 0 ? scopes.toSorted() : allowed.toSorted() }
}

/** This service's own API is one of a client's resources if it has a scope there. */
const targetsOf = (resources: ResourceSet, client: Client): Target[] => [
  ...client.resources.map((id) => resources.ofId(id)).filter((one) => one !== undefined),
  ...(client.scopes.some((scope) => scope.startsWith(ownPrefix)) ? [ownApi as Target] : []),
]

function targetOf(ctx: Context, targets: readonly Target[], client: Client, scopes: readonly string[]): Target {
  const [first, ...others] = targets.filter((target) => {
    const allowed = scopesAt(ctx, target, client.scopes)
    return scopes.every((scope) => allowed.includes(scope))
  })
  if (first === undefined) throw new AppError(targets.length === 0 ? 'invalid_target' : 'invalid_scope')
  if (others.length > 0 && first !== targets[0])
    throw new AppError('invalid_target', { sentence: 'Several resources have these scopes: name one in resource' })
  return first
}

/** Whether the identifier, or an alias, is that of the resource. */
export const isNamed = ({ config }: Pick<Context, 'config'>, target: Target, identifier: string): boolean =>
  (target === ownApi ? [config.PUBLIC_URL] : [target.identifier, ...target.aliases]).some(
    (one) => sameResource(one) === sameResource(identifier),
  )

/** Those of the scopes that belong to the resource: the permissions that its application declares now. */
export function scopesAt({ applicationRoles }: Context, target: Target, scopes: readonly string[]): string[] {
  if (target === ownApi) return scopes.filter((scope) => scope.startsWith(ownPrefix))
  const roles = applicationRoles.current()
  return scopes.filter((scope) => roles.applicationOf(scope) === target.applicationId)
}
