import type { Context, EffectiveRoles, RoleGrants, UserRow } from '../../../context.ts'
import { second } from '../../../lib/time.ts'
import { displayNameOf } from '../../../ui/shared/profile.ts'
import { findGrants } from '../../../users/grant-queries.ts'
import { pictureAddress } from '../../../users/picture-address.ts'
import type { Client } from '../clients/client-view.ts'
import type { LockedGrant } from '../grants/grant-queries.ts'
import { claimsOfScope } from './claim-names.ts'

type Claims = Record<string, unknown>

interface ClaimSource {
  user: UserRow
  client: Pick<Client, 'application' | 'signIn'>
  roles: EffectiveRoles | undefined
}

/** In a token. Programs that need more ask this service. */
const maxPermissions = 100

/** All claims of a user. Those that are null or empty are absent (OpenID Connect Core, 5.3.2). */
function allClaims(config: Context['config'], { user, client, roles }: ClaimSource): Claims {
  const keys = roles?.roles.map((role) => role.replace(`${client.application.key}:`, '')) ?? []
  const claims: Claims = {
    ...{ name: displayNameOf({ ...user, email: user.user_name }), given_name: user.name, family_name: user.last_name },
    ...{ preferred_username: user.user_name, picture: pictureAddress(config, user.picture), gender: user.gender },
    ...{ birthdate: user.dob, zoneinfo: user.tmz, locale: user.lang },
    updated_at: Math.floor(user.updated_at.getTime() / second),
    ...{ email: user.email, email_verified: user.is_verified },
    ...{ phone_number: user.phone, phone_number_verified: user.phone === null ? null : user.phone_trusted },
    ...{ address: addressOf(user), business: businessOf(user) },
    ...{ roles: keys, user_type: user.user_type, permissions: roles?.permissions.slice(0, maxPermissions) },
    ...(client.signIn.groupsClaim && { groups: keys }),
  }
  return Object.fromEntries(Object.entries(claims).filter(([name, value]) => isPresent(value) || lists.has(name)))
}

/** A user without roles has an empty list, so that applications can tell it from a missing scope. */
const lists = new Set(['roles'])

const isPresent = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)

function addressOf({ biz_country, biz_state, biz_postal_code }: UserRow): Claims | null {
  const parts = { country: biz_country, region: biz_state, postal_code: biz_postal_code }
  const present = Object.entries(parts).filter(([, part]) => isPresent(part))
  if (present.length === 0) return null
  const formatted = [biz_postal_code, biz_state, biz_country].filter(isPresent).join('\n')
  return { ...Object.fromEntries(present), formatted }
}

const businessOf = ({ biz_name, biz_position, is_business }: UserRow): Claims | null =>
  isPresent(biz_name) || is_business === true
    ? {
        ...(isPresent(biz_name) && { name: biz_name }),
        ...(isPresent(biz_position) && { position: biz_position }),
        is_business,
      }
    : null

/** Those that the scopes contain, and those that were asked for by name and that the scopes of the grant contain. */
function chosen(claims: Claims, scopes: readonly string[], requested: readonly string[] | undefined): Claims {
  const allowed = scopes.flatMap((scope) => claimsOfScope[scope as keyof typeof claimsOfScope] ?? [])
  const names = requested ? allowed.filter((name) => requested.includes(name)) : allowed
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(claims, name) ? [[name, claims[name]]] : [])))
}

export interface UserInfoSource {
  user: UserRow
  client: Pick<Client, 'application' | 'signIn'>
  scopes: readonly string[]
  grants: RoleGrants
}

/** OpenID Connect Core, 5.3.2. */
export const claimsForUserInfo = (
  { config, applicationRoles }: Context,
  { user, client, scopes, grants }: UserInfoSource,
): Claims & { sub: string } => ({
  sub: user.id,
  ...chosen(
    allClaims(config, { user, client, roles: applicationRoles.current().of(grants.ids, client.application.id) }),
    scopes,
    undefined,
  ),
})

/**
 * The claims of an ID token besides those of the sign-in: those that were asked for by name, or all if the client reads them
 * from ID tokens.
 */
export async function claimsForIdToken(
  ctx: Context,
  client: Client,
  { user, grant }: { user: UserRow; grant: Pick<LockedGrant, 'scopes' | 'claims'> },
): Promise<Claims> {
  const requested = client.signIn.idTokenClaims ? undefined : (grant.claims.id_token ?? [])
  if (requested?.length === 0) return {}
  const needsRoles = grant.scopes.includes('roles')
  const { ids } = needsRoles ? await findGrants(ctx.db, user.id, ctx.clock.now()) : { ids: [] }
  const roles = ctx.applicationRoles.current().of(ids, client.application.id)
  return chosen(allClaims(ctx.config, { user, client, roles }), grant.scopes, requested)
}
