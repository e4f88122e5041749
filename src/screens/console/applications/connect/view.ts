import { isWeb } from '../../../../lib/return-address.ts'
import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill } from '../../../../ui/texts/index.ts'
import { recipeChoices } from '../new/view.ts'
import { applicationPath, connectAction, type ShownApplication, secretsPath, testPath } from '../paths.ts'
import { applicationProblems } from '../problems.ts'
import type { Recipe } from '../recipes.ts'
import { connectSteps } from './steps.ts'

export interface ConnectPage {
  area: AdminArea
  application: ShownApplication
  recipe: Recipe
  /** The port on which the service listens. */
  port: number
  form: string
  isNew?: boolean
  /** A bridge secret that was just created. It cannot be shown again. */
  secret?: string
  rejection?: ApiRejection
}

export function connectApplicationPage(data: ConnectPage, page: PageContext): string {
  const { area, application, recipe, port, isNew, secret } = data
  const { applications: texts } = adminTextsFor(page.lang)
  const path = applicationPath(application.id)
  const address = addressFor(recipe, application)
  const steps = address ? connectSteps(texts, recipe, { publicUrl: page.publicUrl, port, address, secret }) : []
  return renderAdminLayout(
    area,
    {
      template: new URL('./connect.eta', import.meta.url),
      styles: ['applications.css'],
      scripts: ['copy.js'],
      title: fill(texts.connectTitle, { name: application.name }),
      lead: recipe.group === 'gateways' ? texts.gatewayLead : texts.connectLead,
      parent: { path, label: application.name },
      done: secret ? texts.ownSecret.done : isNew ? texts.done.created : undefined,
      ...problemOf(data, address, page),
      data: {
        texts,
        path: connectAction(application.id),
        form: data.form,
        secret,
        testPath: testPath(application.id),
        recipe: recipe.name,
        groups: recipeChoices(texts, true),
        steps: steps.map((step, index) => ({
          ...step,
          code: step.code.map((code, position) => ({ ...code, id: `code-${index}-${position}` })),
        })),
      },
    },
    page,
  )
}

function problemOf({ application, rejection }: ConnectPage, address: URL | undefined, { lang }: PageContext) {
  const { applications: texts } = adminTextsFor(lang)
  const toAddresses = { path: applicationPath(application.id), label: texts.toAddresses }
  if (!address) return { problem: texts.noAddress, problemLink: toAddresses }
  if (!rejection) return {}
  const { top, fields } = applicationProblems(lang, rejection)
  const problemLink = { path: secretsPath(application.id), label: texts.ownSecret.list }
  return { problem: fields.application_id ?? top, problemLink }
}

/** The first address of the form that the files need. */
function addressFor(recipe: Recipe, { return_addresses }: ShownApplication): URL | undefined {
  const urls = return_addresses.flatMap((address) => URL.parse(address) ?? [])
  return urls.find(({ protocol }) => isWeb(protocol) === (recipe.address !== 'scheme'))
}
