import type { PageLanguage } from '../../../ui/texts/index.ts'
import { type ScopeTerms, scopesInWords } from '../../api-keys/pages/scope-words.ts'
import { isOidcScope, oidcScopes } from '../oidc-scopes.ts'
import { oauthTextsFor } from '../pages/texts.ts'

interface ScopeForUsers {
  scope: string
  text: string
  description: string | undefined
}

/** The scopes as users understand them. `offline_access` is told in a sentence of its own. */
export const scopesForUsers = (lang: PageLanguage, scopes: readonly string[], terms: ScopeTerms): ScopeForUsers[] =>
  scopesInWords(lang, inOrder(scopes), terms).map(({ words, scope, description }) => ({
    ...{ scope, description },
    text: isOidcScope(scope) ? ownWords(lang, scope) : words,
  }))

/** Permissions of applications come last. */
const inOrder = (scopes: readonly string[]): string[] => [
  ...oidcScopes.filter((scope) => scope !== 'offline_access' && scopes.includes(scope)),
  ...scopes.filter((scope) => !isOidcScope(scope)),
]

function ownWords(lang: PageLanguage, scope: string): string {
  const words: Readonly<Record<string, string>> = oauthTextsFor(lang).consent.scopes
  return words[scope] ?? scope
}
