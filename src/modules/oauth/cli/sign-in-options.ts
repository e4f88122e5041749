import type { SignInInput } from '../clients/sign-in-input.ts'
import { signingAlgs } from '../rows.ts'
import { choiceOf, secondsIn } from './named.ts'

const repeated = (description: string) =>
  ({ type: 'string', repeated: true, description: `${description}; can be repeated; '' removes all` }) as const
const text = (description: string) => ({ type: 'string', description }) as const
const truth = (description: string) => text(`true or false: ${description}`)

/** Of clients that sign users in. */
export const signInOptions = {
  'redirect-uri': repeated('address to which users return'),
  'post-logout-uri': repeated('address to which users return after a sign-out'),
  'allowed-origin': repeated('origin whose pages may call the token endpoint; only spa'),
  'allowed-type': repeated('type of users who may sign in'),
  'required-permission': text("permission of the application that users need to sign in; '' removes it"),
  'require-pkce': truth('PKCE is required; only web can do without'),
  trusted: truth('users are not asked for their consent; only web and spa'),
  'id-token-alg': text(`${signingAlgs.join(', ')}; '' for RS256`),
  'id-token-claims': truth('ID tokens contain the claims of the UserInfo endpoint'),
  'groups-claim': truth('the claim groups repeats roles'),
  'offline-default': truth('access lasts after the sign-out; only web and native'),
  'refresh-idle': text("lifetime of unused refresh tokens, such as 14d; '' for the setting"),
  'refresh-absolute': text("lifetime of refresh tokens, such as 90d; '' for the setting"),
  'backchannel-uri': text("address that is called when a session ends; only web and spa; '' removes it"),
} as const

type SignInOptions = {
  [Name in keyof typeof signInOptions]?:
    | (((typeof signInOptions)[Name] extends { repeated: true } ? string[] : string) | undefined)
    | undefined
}

export const signInInput = (given: SignInOptions): SignInInput => ({
  ...ifGiven('redirect_uris', given['redirect-uri'], listIn),
  ...ifGiven('post_logout_uris', given['post-logout-uri'], listIn),
  ...ifGiven('allowed_origins', given['allowed-origin'], listIn),
  ...ifGiven('allowed_types', given['allowed-type'], listIn),
  ...ifGiven('required_permission', given['required-permission'], orNull),
  ...ifGiven('require_pkce', given['require-pkce'], truthIn('--require-pkce')),
  ...ifGiven('trusted', given.trusted, truthIn('--trusted')),
  ...ifGiven('id_token_alg', given['id-token-alg'], (alg) =>
    alg === '' ? null : choiceOf('--id-token-alg', signingAlgs, alg),
  ),
  ...ifGiven('id_token_claims', given['id-token-claims'], truthIn('--id-token-claims')),
  ...ifGiven('groups_claim', given['groups-claim'], truthIn('--groups-claim')),
  ...ifGiven('offline_default', given['offline-default'], truthIn('--offline-default')),
  ...ifGiven('refresh_idle_ttl', given['refresh-idle'], secondsOrNull('--refresh-idle')),
  ...ifGiven('refresh_absolute_ttl', given['refresh-absolute'], secondsOrNull('--refresh-absolute')),
  ...ifGiven('backchannel_uri', given['backchannel-uri'], orNull),
})

const ifGiven = <Name extends string, Value, Result>(
  name: Name,
  value: Value | undefined,
  read: (value: Value) => Result,
): { [Key in Name]?: Result } => (value === undefined ? {} : ({ [name]: read(value) } as { [Key in Name]?: Result }))

const listIn = (values: readonly string[]): string[] => values.filter((value) => value !== '')

const orNull = (value: string): string | null => (value === '' ? null : value)

/** Anything else is an error, because a misspelt value must not switch a protection off. */
const truthIn =
  (option: string) =>
  (value: string): boolean =>
    choiceOf(option, ['true', 'false'], value) === 'true'

const secondsOrNull =
  (option: string) =>
  (value: string): number | null =>
    value === '' ? null : secondsIn(option, value)
