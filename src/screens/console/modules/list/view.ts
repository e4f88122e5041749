import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill } from '../../../../ui/texts/index.ts'
import { type ListedModule, moduleChips, modulePath } from '../modules.ts'

export interface ModulesPage {
  area: AdminArea
  modules: readonly ListedModule[]
}

export function modulesPage({ area, modules }: ModulesPage, page: PageContext): string {
  const { modules: texts } = adminTextsFor(page.lang)
  const nameOf = (id: string) => modules.find(({ module_id }) => module_id === id)?.name ?? id
  const rows = modules.map((module) => ({
    name: module.name,
    path: modulePath(module.module_id),
    description: module.module_description,
    lang: module.textLang,
    version: fill(texts.version, { version: module.module_version }),
    status: texts.states[module.status],
    chip: moduleChips[module.status],
    button:
      module.status === 'not_installed' && module.missing_dependencies.length === 0 ? texts.installIt : texts.open,
    isOff: module.status !== 'not_installed' && !module.enabled ? texts.off : undefined,
    missing:
      module.missing_dependencies.length > 0
        ? fill(texts.requires, { modules: module.missing_dependencies.map(nameOf).join(', ') })
        : undefined,
  }))
  return renderAdminLayout(
    area,
    {
      template: new URL('./modules.eta', import.meta.url),
      title: texts.title,
      lead: texts.lead,
      data: { texts, rows },
    },
    page,
  )
}
