import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill } from '../../../../ui/texts/index.ts'
import { type ListedModule, modulePath } from '../modules.ts'

export interface SwitchOffPage {
  area: AdminArea
  module: ListedModule
  /** The module that the switch belongs to. */
  owner: ListedModule
  /** The consequences of switching off the module, if the module describes them. */
  off: string | undefined
  /** The name of the switch. */
  name: string
  form: string
}

export function switchOffPage({ area, module, owner, off, name, form }: SwitchOffPage, page: PageContext): string {
  const { modules: texts, shared } = adminTextsFor(page.lang)
  const title = fill(texts.switchOffModule, { module: owner.name })
  return renderAdminLayout(
    area,
    {
      template: new URL('./switch-off.eta', import.meta.url),
      title,
      parent: { path: modulePath(module.module_id), label: module.name },
      data: {
        text: off ?? texts.offConsequence,
        title,
        cancel: shared.cancel,
        path: modulePath(module.module_id),
        name,
        form,
      },
    },
    page,
  )
}
