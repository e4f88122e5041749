import { scopeField } from '../../../../api-keys/pages/scope-words.ts'
import { lifetimeIn, type TypedValues } from '../../form-values.ts'
import type { ShownClient } from '../../paths.ts'

type ClientKind = ShownClient['type']
export type SwitchName = 'require_pkce' | 'trusted' | 'offline_default' | 'id_token_claims' | 'groups_claim'

const common = ['id_token_claims', 'groups_claim'] as const
const switchesOfType: Readonly<Record<ClientKind, readonly SwitchName[]>> = {
  web: ['require_pkce', 'trusted', 'offline_default', ...common],
  spa: ['trusted', ...common],
  native: ['offline_default', ...common],
  machine: [],
  resource_server: [],
}

/** The checkboxes that the form for a client of the type has. The API rejects the others. */
export const signInSwitchesOf = (type: ClientKind): readonly SwitchName[] => switchesOfType[type]

export const hasBackchannel = (type: ClientKind): boolean => type === 'web' || type === 'spa'

export const userTypeBox = (key: string): string => `user_type_${key}`

const prefix = userTypeBox('')

const linesOf = (text: string | undefined): string[] => (text ?? '').split(/\s+/).filter((one) => one !== '')

/** The members of the API that are for clients that sign users in. The API validates the values. */
export const signInValues = (type: ClientKind, typed: TypedValues) => ({
  redirect_uris: linesOf(typed.redirect_uris),
  post_logout_uris: linesOf(typed.post_logout_uris),
  ...(type === 'spa' && { allowed_origins: linesOf(typed.allowed_origins) }),
  ...Object.fromEntries(signInSwitchesOf(type).map((name) => [name, typed[name] !== undefined])),
  id_token_alg: typed.id_token_alg || null,
  refresh_idle_ttl: lifetimeIn(typed.refresh_idle_ttl),
  refresh_absolute_ttl: lifetimeIn(typed.refresh_absolute_ttl),
  allowed_types: Object.keys(typed).flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : [])),
  required_permission: typed.required_permission || null,
  ...(hasBackchannel(type) && { backchannel_uri: typed.backchannel_uri?.trim() || null }),
})

/** For a new client. Most programs need the name and email address of the user. */
export const firstSignInValues = (type: ClientKind): TypedValues => ({
  ...Object.fromEntries(['openid', 'profile', 'email'].map((scope) => [scopeField(scope), 'on'])),
  ...(type === 'web' && { require_pkce: 'on' }),
  // As in the use case that creates clients.
  ...(type === 'native' && { offline_default: 'on' }),
})

const seconds = (value: number | null): string => (value === null ? '' : String(value))

export const storedSignInValues = (client: ShownClient): TypedValues => ({
  redirect_uris: client.redirect_uris.join('\n'),
  post_logout_uris: client.post_logout_uris.join('\n'),
  allowed_origins: client.allowed_origins.join('\n'),
  ...Object.fromEntries(signInSwitchesOf(client.type).flatMap((name) => (client[name] ? [[name, 'on']] : []))),
  id_token_alg: client.id_token_alg ?? '',
  refresh_idle_ttl: seconds(client.refresh_idle_ttl),
  refresh_absolute_ttl: seconds(client.refresh_absolute_ttl),
  ...Object.fromEntries(client.allowed_types.map((key) => [userTypeBox(key), 'on'])),
  required_permission: client.required_permission ?? '',
  backchannel_uri: client.backchannel_uri ?? '',
})
