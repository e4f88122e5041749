import { ownPrefix } from '../../../../../http/credentials/scopes.ts'
import { type AdminArea, renderAdminLayout } from '../../../../../ui/console/layout.ts'
import type { Field } from '../../../../../ui/fields/field.ts'
import type { ResponseOf } from '../../../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../../../ui/shared/call-api.ts'
import type { PageContext } from '../../../../../ui/shared/render.ts'
import { fill } from '../../../../../ui/texts/index.ts'
import { type ScopeTerms, scopesInWords } from '../../../../api-keys/pages/scope-words.ts'
import type { TestClientRoute } from '../../../token-test/schemas.ts'
import type { TypedValues } from '../../form-values.ts'
import { clientPath, type ShownClient, type ShownResource } from '../../paths.ts'
import { oauthProblems } from '../../problems.ts'
import { oauthTextsFor } from '../../texts.ts'
import { shortLabel } from '../client-fields.ts'
import { clientTestPath } from './paths.ts'

type Result = ResponseOf<typeof TestClientRoute>['data']

export interface ClientTestPage {
  area: AdminArea
  client: ShownClient
  /** Those that the client has. */
  resources: readonly ShownResource[]
  declared: ScopeTerms['declared']
  form: string
  typed?: TypedValues
  result?: Result | undefined
  rejection?: ApiRejection | undefined
}

const chips = { passed: 'good', failed: 'bad', skipped: '' }

export function clientTestPage(data: ClientTestPage, page: PageContext): string {
  const { area, client, resources, form, typed = {}, result, rejection } = data
  const { test: texts, optional } = oauthTextsFor(page.lang)
  const { top, fields: problems } = oauthProblems(page.lang, rejection, ['scope', 'resource'])
  const ownApi = { value: page.publicUrl, label: texts.ownApi }
  const fields: Field[] = [
    {
      ...{ name: 'resource', kind: 'select', label: texts.resource, value: typed.resource, problem: problems.resource },
      choices: [
        { value: '', label: texts.anyResource },
        ...resources.map((one) => ({ value: one.identifier, label: shortLabel(one, resources) })),
        ...(client.scopes.some((scope) => scope.startsWith(ownPrefix)) ? [ownApi] : []),
      ],
    },
    {
      ...{ name: 'scope', label: texts.scope, note: optional, hint: texts.scopeHint, maxlength: 2000 },
      ...{ autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false' },
      ...{ value: typed.scope, problem: problems.scope },
    },
  ]
  return renderAdminLayout(
    area,
    {
      template: new URL('./test.eta', import.meta.url),
      styles: ['applications.css'],
      title: fill(texts.title, { name: client.name }),
      lead: texts.lead,
      parent: { path: clientPath(client.client_id), label: client.name },
      problem: top,
      data: {
        scopes: scopesInWords(page.lang, client.scopes, { roles: area.roles, declared: data.declared }),
        ...{ texts, form, fields, path: clientTestPath(client.client_id) },
        result: result && shownResult(result, page),
      },
    },
    page,
  )
}

function shownResult({ outcome, steps, token }: Result, { lang }: PageContext) {
  const { test: texts } = oauthTextsFor(lang)
  const json = (value: object) => JSON.stringify(value, null, 2)
  return {
    sentence: texts.results[outcome],
    steps: steps.map((step) => ({
      ...{ name: texts.steps[step.step], outcome: texts.outcomes[step.outcome], chip: chips[step.outcome] },
      text: step.reason && texts.reasons[step.reason],
    })),
    note: token?.format === 'opaque' ? texts.opaqueText : undefined,
    parts: [
      ...(token?.header ? [{ title: texts.header, text: json(token.header) }] : []),
      ...(token ? [{ title: texts.claims, text: json(token.claims) }] : []),
    ],
  }
}
