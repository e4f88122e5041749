import { type AdminArea, renderAdminLayout } from '../../../../../ui/console/layout.ts'
import type { ApiRejection } from '../../../../../ui/shared/call-api.ts'
import type { PageContext } from '../../../../../ui/shared/render.ts'
import { fill, type PageLanguage } from '../../../../../ui/texts/index.ts'
import { type ScopeTerms, scopesInWords } from '../../../../api-keys/pages/scope-words.ts'
import { stateChip } from '../../clients/list/view.ts'
import type { TypedValues } from '../../form-values.ts'
import { clientPath, resourceListPath, resourcePath, type ShownClient, type ShownResource } from '../../paths.ts'
import { doneText, oauthProblems } from '../../problems.ts'
import { oauthTextsFor } from '../../texts.ts'
import { resourceFieldNames, resourceFields, type TokenDefaults } from '../resource-fields.ts'

export interface ResourcePage {
  area: AdminArea
  resource: ShownResource
  /** The clients that may introspect its tokens. */
  servers: readonly Pick<ShownClient, 'client_id' | 'name'>[]
  declared: ScopeTerms['declared']
  defaults: TokenDefaults
  mayChange: boolean
  forms: { edit: string; enable: string }
  done?: string | undefined
  typed?: TypedValues | undefined
  rejection?: ApiRejection | undefined
}

export function resourcePage(data: ResourcePage, page: PageContext): string {
  const { area, resource, servers, defaults, mayChange, forms, rejection, done } = data
  const { resources: texts, save } = oauthTextsFor(page.lang)
  const { top, fields: problems } = oauthProblems(page.lang, rejection, resourceFieldNames)
  const typed = data.typed ?? storedValues(resource)
  return renderAdminLayout(
    area,
    {
      template: new URL('./resource.eta', import.meta.url),
      title: resource.name,
      parent: { path: resourceListPath, label: texts.title },
      done: doneText(texts.done, done),
      problem: problems.expected_updated_at ?? top,
      data: {
        ...{ texts, save, forms, mayChange, path: resourcePath(resource.id), isEnabled: resource.enabled },
        ...stateChip(page.lang, resource),
        facts: factsOf(data, page.lang),
        scopes: scopesInWords(page.lang, resource.scopes, { roles: area.roles, declared: data.declared }),
        application: resource.application.key,
        applicationPath: `/admin/applications/${resource.application.id}`,
        servers: servers.map(({ client_id, name }) => ({ path: clientPath(client_id), name })),
        expected: resource.updated_at,
        fields: resourceFields(page.lang, { typed, defaults, problems }),
      },
    },
    page,
  )
}

function factsOf({ resource, defaults }: ResourcePage, lang: PageLanguage) {
  const { resources: texts } = oauthTextsFor(lang)
  const { identifier, aliases, token_format: format, alg, access_ttl: seconds } = resource
  const lifetime =
    seconds === null
      ? fill(texts.lifetimeDefault, { count: defaults.lifetime })
      : fill(texts.lifetimeOf, { count: seconds })
  return [
    { name: texts.identifier, value: identifier, isCode: true },
    ...aliases.map((value) => ({ name: texts.aliases, value, isCode: true })),
    { name: texts.format, value: texts.formats[format], isCode: false },
    ...(format === 'jwt'
      ? [{ name: texts.alg, value: alg ?? fill(texts.algDefault, { alg: defaults.alg }), isCode: false }]
      : []),
    { name: texts.lifetime, value: lifetime, isCode: false },
  ]
}

const storedValues = (resource: ShownResource): TypedValues => ({
  // The name that an API without one has.
  name: resource.name === resource.identifier.slice(0, 80) ? '' : resource.name,
  ...{ identifier: resource.identifier, aliases: resource.aliases.join('\n') },
  ...{ token_format: resource.token_format, alg: resource.alg ?? '' },
  access_ttl: resource.access_ttl === null ? '' : String(resource.access_ttl),
})
