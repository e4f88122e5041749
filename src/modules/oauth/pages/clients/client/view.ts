import { ago } from '../../../../../ui/account/when.ts'
import { type AdminArea, renderAdminLayout } from '../../../../../ui/console/layout.ts'
import type { Field } from '../../../../../ui/fields/field.ts'
import type { ApiRejection } from '../../../../../ui/shared/call-api.ts'
import type { PageContext } from '../../../../../ui/shared/render.ts'
import { fill, type PageLanguage } from '../../../../../ui/texts/index.ts'
import { type ScopeTerms, scopeField, scopesInWords } from '../../../../api-keys/pages/scope-words.ts'
import { programTypes } from '../../../rows.ts'
import { resourceField, type TypedValues } from '../../form-values.ts'
import { clientListPath, clientPath, resourcePath, type ShownClient, type ShownResource } from '../../paths.ts'
import { doneText, oauthProblems } from '../../problems.ts'
import { oauthTextsFor } from '../../texts.ts'
import { clientFieldNames, clientFields, resourceLabel, resourcesFor } from '../client-fields.ts'
import { stateChip } from '../list/view.ts'
import type { OfferedAccount } from '../new/choose.ts'
import { clientSecretsPath } from '../secrets/paths.ts'
import { clientTestPath } from '../test/paths.ts'

export interface ClientPage {
  area: AdminArea
  client: ShownClient
  resources: readonly ShownResource[]
  accounts: readonly OfferedAccount[]
  declared: ScopeTerms['declared']
  /** The scopes that the viewer may give. */
  givable: readonly string[]
  mayChange: boolean
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
  const { top, fields: problems } = oauthProblems(page.lang, rejection, clientFieldNames)
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
          ...(client.auth_method === 'none'
            ? []
            : [{ path: clientSecretsPath(client.client_id), label: texts.secrets.link }]),
          ...(mayTest(data) ? [{ path: clientTestPath(client.client_id), label: texts.test.link }] : []),
          { path: `${path}/rejections`, label: texts.rejections.link },
        ],
        mayEdit: mayEdit(data),
        fields: editFields(data, page.lang, problems),
      },
    },
    page,
  )
}

/** Without the right to give all scopes of the client, it can only be disabled or deleted. The form is for programs only. */
const mayEdit = ({ mayChange, client, givable }: ClientPage): boolean =>
  mayChange &&
  programTypes.some((type) => type === client.type) &&
  client.scopes.every((scope) => givable.includes(scope))

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

function editFields(data: ClientPage, lang: PageLanguage, problems: Readonly<Record<string, string>>): Field[] {
  const { area, client, resources, accounts, declared } = data
  const { clients: own } = oauthTextsFor(lang)
  const typed = data.typed ?? storedValues(client)
  const account = accounts.find(({ id }) => id === typed.service_account_id)
  const scopes = [...new Set([...(account?.scopes ?? []), ...client.scopes])]
  const has = client.resources
  const offered = resourcesFor({ type: client.type, applicationId: client.application.id, has }, resources)
  const [name, ...others] = clientFields(lang, {
    ...{ type: client.type, typed, scopes, resources: offered, problems },
    terms: { roles: area.roles, declared },
  })
  const choice: Field = {
    ...{ name: 'service_account_id', kind: 'select', label: own.account, value: typed.service_account_id },
    ...{ choices: accounts.map(({ id, name: label }) => ({ value: id, label })), problem: problems.service_account_id },
  }
  return [...(name ? [name] : []), ...(client.type === 'machine' && accounts.length > 0 ? [choice] : []), ...others]
}

const storedValues = (client: ShownClient): TypedValues => ({
  // The name that a client without one has.
  name: client.name === client.client_id ? '' : client.name,
  service_account_id: client.service_account?.id,
  access_ttl: client.access_ttl === null ? '' : String(client.access_ttl),
  first: client.resources[0],
  ...Object.fromEntries(client.scopes.map((scope) => [scopeField(scope), 'on'])),
  ...Object.fromEntries(client.resources.map((id) => [resourceField(id), 'on'])),
})
