import type { Appearance } from '../../../context.ts'
import { shownApplication } from '../../../http/responses/redirects.ts'
import { type PageProblem, problemText } from '../../../ui/shared/problem-text.ts'
import { type PageContext, renderPage } from '../../../ui/shared/render.ts'
import { fill, type PageLanguage } from '../../../ui/texts/index.ts'
import { type ScopeTerms, scopeField } from '../../api-keys/pages/scope-words.ts'
import { consentPath } from '../authorize/paths.ts'
import type { Client } from '../clients/client-view.ts'
import { isOptionalScope } from '../oidc-scopes.ts'
import { oauthTextsFor } from '../pages/texts.ts'
import { scopesForUsers } from './scope-rows.ts'

export interface ConsentPage {
  requestId: string
  form: string
  client: Client
  /** The address to which the user is sent. */
  redirectUri: string
  scopes: readonly string[]
  /** Those that the user has allowed before. */
  known: readonly string[]
  /** The meaning of the scopes. */
  terms: ScopeTerms
  /** The name is empty if the user has not entered one. */
  account: { name: string; email: string }
  /** Whether the access lasts after the sign-out. */
  isLasting: boolean
  appearance: Appearance | null
  another: string
  problem?: PageProblem
}

/** Everything that a client chooses is shown as text, and none of it in the title. */
export function consentPage(data: ConsentPage, page: PageContext): string {
  const { consent: texts } = oauthTextsFor(page.lang)
  const { client, redirectUri, account, appearance } = data
  const name = appearance?.name ?? client.name
  const options = rowsOf(data, page.lang)
  const target = targetWords(redirectUri, page.lang)
  const { termsUrl, privacyUrl } = appearance ?? {}
  return renderPage(
    {
      template: new URL('./consent.eta', import.meta.url),
      title: texts.title,
      shape: 'card',
      data: {
        ...{ texts, title: fill(texts.heading, { name }), origin: texts.byAdministrator, request: data.requestId },
        facts: [
          { name: texts.account, value: account.name === '' ? account.email : `${account.name} (${account.email})` },
          { name: texts.target, value: target },
        ],
        warning: isOnDevice(client) ? texts.deviceWarning : undefined,
        ...{ action: consentPath, form: { formToken: data.form, problem: problemText(page.lang, data.problem, {}) } },
        required: options.filter(({ isOptional }) => !isOptional),
        optional: options.filter(({ isOptional }) => isOptional),
        lasting: data.isLasting ? texts.lasting : texts.notLasting,
        ...{ allow: fill(texts.allow, { name }), another: data.another },
        links: [
          ...(termsUrl ? [{ href: termsUrl, label: fill(texts.terms, { name }) }] : []),
          ...(privacyUrl ? [{ href: privacyUrl, label: fill(texts.privacy, { name }) }] : []),
        ],
      },
    },
    page,
  )
}

/** New ones first. */
const rowsOf = ({ scopes, known, terms }: ConsentPage, lang: PageLanguage) =>
  scopesForUsers(lang, scopes, terms)
    .map(({ scope, ...words }) => ({
      ...{ ...words, name: scopeField(scope), isOptional: isOptionalScope(scope) },
      isNew: known.length > 0 && !known.includes(scope),
    }))
    .toSorted((one, other) => Number(other.isNew) - Number(one.isNew))

const isLoopback = (address: string): boolean => /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)[:/?]/.test(`${address}/`)

/** Any program on the device can listen there. */
const isOnDevice = ({ type, signIn }: Client): boolean => type === 'native' && signIn.redirectUris.every(isLoopback)

function targetWords(address: string, lang: PageLanguage): string {
  const { consent: texts } = oauthTextsFor(lang)
  return isLoopback(address) ? texts.onThisDevice : shownApplication(address)
}
