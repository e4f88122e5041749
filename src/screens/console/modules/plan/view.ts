import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill } from '../../../../ui/texts/index.ts'
import { type ListedModule, modulePath, type PlannedStep, versionsText } from '../modules.ts'
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
      title: fill(texts.operations[wanted.operation].title, { module: module.name }),
      lead: texts.planLead,
      parent: { path: modulePath(module.module_id), label: module.name },
      data: {
        texts,
        shared,
        path: modulePath(module.module_id),
        form,
        textLang: module.textLang,
        operation: wanted.operation,
        fields: wanted.components.map(componentField),
        missing: isMissing ? fill(texts.requires, { modules: module.missing_dependencies.join(', ') }) : undefined,
        isNothing: plan.every(({ action }) => action === 'skip'),
        button: texts.operations[wanted.operation].button,
        permanent:
          wanted.operation === 'install'
            ? module.switches.length > 0
              ? texts.permanentSwitch
              : texts.permanent
            : undefined,
        steps: plan.map((step) => ({
          component: step.component_id,
          description:
            module.components.find((one) => one.component_id === step.component_id)?.description ?? step.component_id,
          action: texts.actions[step.action],
          chip: step.action === 'drift' ? 'bad' : step.action === 'skip' ? '' : 'good',
          versions: versionsText(page.lang, step.from_version, step.to_version),
          sql: step.sql.join('\n\n'),
          label: fill(texts.sqlOf, { component: step.component_id }),
        })),
      },
    },
    page,
  )
}
