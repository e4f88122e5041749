import { type AdminArea, renderAdminLayout } from '../../../../../ui/console/layout.ts'
import type { PageContext } from '../../../../../ui/shared/render.ts'
import { type ScopeTerms, scopeList } from '../../../../api-keys/pages/scope-words.ts'
import { stateChip } from '../../clients/list/view.ts'
import { newResourcePath, resourcePath, type ShownResource } from '../../paths.ts'
import { doneText } from '../../problems.ts'
import { oauthTextsFor } from '../../texts.ts'

export interface ResourcesPage {
  area: AdminArea
  resources: readonly ShownResource[]
  declared: ScopeTerms['declared']
  mayAdd: boolean
  done?: string | undefined
}

export function resourcesPage({ area, resources, declared, mayAdd, done }: ResourcesPage, page: PageContext): string {
  const { resources: texts } = oauthTextsFor(page.lang)
  const add = { path: newResourcePath, label: texts.add }
  return renderAdminLayout(
    area,
    {
      template: new URL('./resources.eta', import.meta.url),
      title: texts.title,
      lead: texts.lead,
      action: mayAdd ? { ...add, icon: 'add' } : undefined,
      done: doneText({ deleted: texts.done.deleted }, done),
      data: {
        rows: resources.map((one) => ({
          ...{ name: one.name, path: resourcePath(one.id) },
          identifier: one.name === one.identifier ? undefined : one.identifier,
          ...stateChip(page.lang, one),
          facts: [one.application.key, texts.formats[one.token_format]],
          scopes: scopeList(page.lang, one.scopes, { roles: area.roles, declared }) || texts.noScopes,
        })),
        empty: { icon: 'link', title: texts.none, text: texts.noneText, action: mayAdd ? add : undefined },
      },
    },
    page,
  )
}
