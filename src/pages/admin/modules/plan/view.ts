import type { PageContext } from '../../../shared/render.ts'
import { fill } from '../../../texts/index.ts'
import { type AdminArea, renderAdminLayout } from '../../shared/layout.ts'
import { adminTextsFor } from '../../texts/index.ts'
import { type ListedModule, modulePath, type PlannedStep } from '../modules.ts'
import { componentField, type ModuleForm } from '../operations.ts'

export interface PlanPage {
  area: AdminArea
  module: ListedModule
  plan: readonly PlannedStep[]
  wanted: ModuleForm
  form: string
}

export function planPage({ area, module, plan, wanted, form }: PlanPage, page: PageContext): string {
  const { modules: texts, shared } = adminTextsFor(page.lang)
  const isMissing = module.missing_dependencies.length > 0
  return renderAdminLayout(
    area,
    {
      template: new URL('./plan.eta', import.meta.url),
      title: fill(texts.planTitle, { module: module.name }),
      lead: texts.planLead,
      parent: { path: modulePath(module.module_id), label: module.name },
      data: {
        texts,
        shared,
        path: modulePath(module.module_id),
        form,
        operation: wanted.operation,
        fields: wanted.components.map(componentField),
        missing: isMissing ? fill(texts.requires, { modules: module.missing_dependencies.join(', ') }) : undefined,
        isNothing: plan.every(({ action }) => action === 'skip'),
        button: texts.operations[wanted.operation].button,
        steps: plan.map((step, index) => ({
          number: index + 1,
          component: step.component_id,
          action: texts.actions[step.action],
          chip: step.action === 'drift' ? 'bad' : step.action === 'skip' ? '' : 'good',
          from: step.from_version ?? '–',
          to: step.to_version,
          sql: step.sql.join('\n\n'),
          label: fill(texts.sqlOf, { component: step.component_id }),
        })),
      },
    },
    page,
  )
}
