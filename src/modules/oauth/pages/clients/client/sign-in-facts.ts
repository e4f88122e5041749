import { roleName } from '../../../../../ui/console/roles.ts'
import type { PageLanguage } from '../../../../../ui/texts/index.ts'
import type { ScopeTerms } from '../../../../api-keys/pages/scope-words.ts'
import type { ShownClient } from '../../paths.ts'
import { oauthTextsFor } from '../../texts.ts'
import { signInSwitchesOf } from '../sign-in/sign-in-values.ts'

interface SignInFact {
  name: string
  value: string
  isCode?: true
}

/** How a client signs users in. Rules that have their default are left out. */
export function signInFacts(client: ShownClient, roles: ScopeTerms['roles'], lang: PageLanguage): SignInFact[] {
  const { signIn: texts } = oauthTextsFor(lang)
  const addresses = (name: string, all: readonly string[]): SignInFact[] =>
    all.map((value) => ({ name, value, isCode: true }))
  const optional = (name: string, value: string | null): SignInFact[] => (value === null ? [] : [{ name, value }])
  const on = signInSwitchesOf(client.type).filter((name) => client[name])
  const types = client.allowed_types.map((key) => roleName(lang, key, roles))
  return [
    ...addresses(texts.redirects, client.redirect_uris),
    ...addresses(texts.postLogout, client.post_logout_uris),
    ...addresses(texts.origins, client.allowed_origins),
    ...addresses(texts.backchannel, client.backchannel_uri === null ? [] : [client.backchannel_uri]),
    ...on.map((name) => ({ name: texts.switchLabel, value: texts.switches[name] })),
    ...(types.length > 0 ? [{ name: texts.types, value: types.join(', ') }] : []),
    ...optional(texts.permission, client.required_permission),
    ...optional(texts.idle, client.refresh_idle_ttl === null ? null : String(client.refresh_idle_ttl)),
    ...optional(texts.absolute, client.refresh_absolute_ttl === null ? null : String(client.refresh_absolute_ttl)),
    ...optional(texts.alg, client.id_token_alg),
  ]
}
