import { isWeb } from '../../../../lib/return-address.ts'
import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill } from '../../../../ui/texts/index.ts'
import { recipeChoices } from '../new/view.ts'
import { applicationPath, type ShownApplication } from '../paths.ts'
import type { Recipe } from '../recipes.ts'
import { connectSteps } from './steps.ts'

export interface ConnectPage {
  area: AdminArea
  application: ShownApplication
  recipe: Recipe
  /** The port on which the service listens. */
  port: number
  isNew: boolean
}

export function connectApplicationPage(data: ConnectPage, page: PageContext): string {
  const { area, application, recipe, port, isNew } = data
  const { applications: texts } = adminTextsFor(page.lang)
  const path = applicationPath(application.id)
  const address = addressFor(recipe, application)
  const steps = address ? connectSteps(texts, recipe, { publicUrl: page.publicUrl, port, address }) : []
  return renderAdminLayout(
    area,
    {
      template: new URL('./connect.eta', import.meta.url),
      styles: ['applications.css'],
      scripts: ['copy.js'],
      title: fill(texts.connectTitle, { name: application.name }),
      lead: recipe.group === 'gateways' ? texts.gatewayLead : texts.connectLead,
      parent: { path, label: application.name },
      done: isNew ? texts.done.created : undefined,
      problem: address ? undefined : texts.noAddress,
      problemLink: address ? undefined : { path, label: texts.toAddresses },
      data: {
        texts,
        path: `${path}/connect`,
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

/** The first address of the form that the files need. */
function addressFor(recipe: Recipe, { return_addresses }: ShownApplication): URL | undefined {
  const urls = return_addresses.flatMap((address) => URL.parse(address) ?? [])
  return urls.find(({ protocol }) => isWeb(protocol) === (recipe.address !== 'scheme'))
}
