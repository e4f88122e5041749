import { profileScopes } from '../../../../../http/credentials/scopes.ts'
import { ago } from '../../../../../ui/account/when.ts'
import { type AdminArea, renderAdminLayout } from '../../../../../ui/console/layout.ts'
import type { Field } from '../../../../../ui/fields/field.ts'
import type { ApiRejection } from '../../../../../ui/shared/call-api.ts'
import type { PageContext } from '../../../../../ui/shared/render.ts'
import { fill, type PageLanguage } from '../../../../../ui/texts/index.ts'
import { type ScopeTerms, scopeField, scopesInWords } from '../../../../api-keys/pages/scope-words.ts'
import { isUserClient } from '../../../clients/sign-in-input.ts'
import { isOidcScope } from '../../../oidc-scopes.ts'
import { resourceField, type TypedValues } from '../../form-values.ts'
import { clientListPath, clientPath, resourcePath, type ShownClient, type ShownResource } from '../../paths.ts'
import { doneText } from '../../problems.ts'
import { oauthTextsFor } from '../../texts.ts'
import { type FormParts, resourceLabel, resourcesFor, userScopesFor } from '../client-fields.ts'
import { clientProblems } from '../client-problems.ts'
import { formParts } from '../form-parts.ts'
import { clientGrantsPath } from '../grants/paths.ts'
import { stateChip } from '../list/view.ts'
import type { OfferedAccount } from '../new/choose.ts'
import { clientSecretsPath } from '../secrets/paths.ts'
import { storedSignInValues } from '../sign-in/sign-in-values.ts'
import { clientTestPath } from '../test/paths.ts'
import { signInFacts } from './sign-in-facts.ts'

export interface ClientPage {
  area: AdminArea
  client: ShownClient
  resources: readonly ShownResource[]
  accounts: readonly OfferedAccount[]
  declared: ScopeTerms['declared']
  /** The scopes that the viewer may give. */
  givable: readonly string[]
  /** The scopes of OpenID Connect that the installation has. */
  oidcScopes: readonly string[]
  /** The types of users. */
  userTypes: readonly string[]
  /** The permissions of the application. */
  permissions: readonly string[]
  mayChange: boolean
  maySeeGrants: boolean
  forms: { edit: string; enable: string }
  now: number
  done?: string | undefined
  /** The rejected entries. */
  typed?: TypedValues | undefined
  rejection?: ApiRejection | undefined
}

export function clientPage(data: ClientPage, page: PageContext): string {
  const { area, client, mayChange, forms, rejection, done } = data
  const texts = oauthTextsFor(page.lang)
  const { clients: own } = texts
  const path = clientPath(client.client_id)
  const { top, fields: problems } = clientProblems(page.lang, rejection, client.type)
  return renderAdminLayout(
    area,
    {
      template: new URL('./client.eta', import.meta.url),
      title: client.name,
      parent: { path: clientListPath, label: own.title },
      done: doneText(own.done, done),
      problem: problems.expected_updated_at ?? top,
      data: {
        ...{ texts, own, path, forms, mayChange, isEnabled: client.enabled, expected: client.updated_at },
        ...stateChip(page.lang, client),
        facts: factsOf(data, page.lang),
        links: [
          {
            path: clientSecretsPath(client.client_id),
            label: client.auth_method === 'none' ? texts.secrets.publicLink : texts.secrets.link,
          },
          ...(mayTest(data) ? [{ path: clientTestPath(client.client_id), label: texts.test.link }] : []),
          ...(data.maySeeGrants && isUserClient(client.type)
            ? [{ path: clientGrantsPath(client.client_id), label: texts.grants.link }]
            : []),
          { path: `${path}/rejections`, label: texts.rejections.link },
        ],
        mayEdit: mayEdit(data),
        ...editParts(data, page.lang, problems),
      },
    },
    page,
  )
}

/** Without the right to give all scopes of the client, it can only be disabled or deleted. */
function mayEdit({ mayChange, client, givable }: ClientPage): boolean {
  const free = (scope: string) => isOidcScope(scope) || profileScopes.some((known) => known === scope)
  return (
    mayChange && client.scopes.every((scope) => givable.includes(scope) || (isUserClient(client.type) && free(scope)))
  )
}

/** Resource servers get no tokens. */
const mayTest = ({ mayChange, client }: ClientPage): boolean => mayChange && client.type === 'machine'

interface ClientFact {
  name: string
  value: string
  link?: string
  isCode?: true
  /** `value` is shown if there are none. */
  scopes?: ReturnType<typeof scopesInWords>
}

function factsOf({ area, client, resources, declared, now }: ClientPage, lang: PageLanguage): ClientFact[] {
  const texts = oauthTextsFor(lang)
  const { clients: own } = texts
  const { application, service_account: account, scopes, access_ttl: seconds, last_used_at: last } = client
  const isServer = client.type === 'resource_server'
  const ofClient = resources.filter(({ id }) => client.resources.includes(id))
  const resourceName = isServer ? own.served : own.resources
  return [
    { name: own.id, value: client.client_id, isCode: true },
    { name: own.type, value: texts.types[client.type] },
    { name: own.application, value: application.key, link: `/admin/applications/${application.id}` },
    ...(account ? [{ name: own.account, value: account.name, link: `/admin/service-accounts/${account.id}` }] : []),
    ...(isUserClient(client.type) ? signInFacts(client, area.roles, lang) : []),
    ...(isServer
      ? []
      : [
          {
            name: own.scopes,
            value: own.noScopes,
            scopes: scopesInWords(lang, scopes, { roles: area.roles, declared }),
          },
        ]),
    ...(ofClient.length === 0
      ? [{ name: resourceName, value: own.noResources }]
      : ofClient.map((one) => ({ name: resourceName, value: resourceLabel(one), link: resourcePath(one.id) }))),
    ...(isServer
      ? []
      : [
          {
            name: own.lifetime,
            value: seconds === null ? own.lifetimeDefault : fill(own.lifetimeOf, { count: seconds }),
          },
        ]),
    { name: texts.secrets.lastUse, value: last === null ? texts.neverUsed : ago(lang, last, now) },
  ]
}

function editParts(data: ClientPage, lang: PageLanguage, problems: Readonly<Record<string, string>>): FormParts {
  const { area, client, resources, accounts, declared } = data
  const { clients: own } = oauthTextsFor(lang)
  const typed = data.typed ?? storedValues(client)
  const account = accounts.find(({ id }) => id === typed.service_account_id)
  const has = client.resources
  const offered = resourcesFor({ type: client.type, applicationId: client.application.id, has }, resources)
  const scopes = isUserClient(client.type)
    ? userScopesFor(data.oidcScopes, { resources: offered, givable: data.givable, has: client.scopes })
    : [...new Set([...(account?.scopes ?? []), ...client.scopes])]
  const choice: Field = {
    ...{ name: 'service_account_id', kind: 'select', label: own.account, value: typed.service_account_id },
    ...{ choices: accounts.map(({ id, name: label }) => ({ value: id, label })), problem: problems.service_account_id },
  }
  const fields = {
    ...{ type: client.type, typed, scopes, resources: offered, problems },
    ...{ userTypes: data.userTypes, permissions: data.permissions },
    terms: { roles: area.roles, declared },
  }
  return formParts(lang, fields, client.type === 'machine' && accounts.length > 0 ? choice : undefined)
}

const storedValues = (client: ShownClient): TypedValues => ({
  // The name that a client without one has.
  name: client.name === client.client_id ? '' : client.name,
  service_account_id: client.service_account?.id,
  access_ttl: client.access_ttl === null ? '' : String(client.access_ttl),
  first: client.resources[0],
  ...(isUserClient(client.type) && storedSignInValues(client)),
  ...Object.fromEntries(client.scopes.map((scope) => [scopeField(scope), 'on'])),
  ...Object.fromEntries(client.resources.map((id) => [resourceField(id), 'on'])),
})
