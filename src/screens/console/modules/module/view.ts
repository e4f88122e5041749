import type { ModulePlaces } from '../../../../context.ts'
import { type AdminArea, type AdminView, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { PageProblem } from '../../../../ui/shared/problem-text.ts'
import { problemText } from '../../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill } from '../../../../ui/texts/index.ts'
import type { ListedSetting } from '../../settings/settings.ts'
import {
  componentChips,
  type ListedModule,
  type ModuleRun,
  moduleChips,
  modulePath,
  modulesPath,
  versionsText,
} from '../modules.ts'
import { componentField, componentsFor } from '../operations.ts'
import { placeLinks } from './places.ts'
import { runRows } from './run-rows.ts'
import { offText, switchesOf } from './switches.ts'

export interface ModuleOutcome {
  done?: string | undefined
  problem?: PageProblem
}

export interface ModulePage {
  area: AdminArea
  module: ListedModule
  /** All modules. The page shows the names of the modules that this module requires. */
  modules: readonly ListedModule[]
  runs: readonly ModuleRun[]
  switches: readonly ListedSetting[]
  /** Whether any module is being installed. */
  isRunning: boolean
  mayAct: boolean
  maySwitch: boolean
  forms: { plan: string; switch: string }
  timeZone: string | null
  places: ModulePlaces
  /** The link to show after the installation. */
  firstStep?: { path: string; label(lang: string): string } | undefined
  outcome: ModuleOutcome
}

export function modulePage(data: ModulePage, page: PageContext): string {
  const { area, module, outcome, isRunning } = data
  const { lang } = page
  const { modules: texts } = adminTextsFor(lang)
  const possible = componentsFor(module)
  const isNew = module.status === 'not_installed'
  const namesOf = (ids: readonly string[]) =>
    ids.map((id) => data.modules.find(({ module_id }) => module_id === id)?.name ?? id).join(', ')
  return renderAdminLayout(
    area,
    {
      template: new URL('./module.eta', import.meta.url),
      title: module.name,
      styles: ['settings.css'],
      parent: { path: modulesPath, label: texts.title },
      ...(isRunning ? {} : outcomeOf(lang, data)),
      problem: problemOf(lang, outcome.problem, data),
      data: {
        texts,
        path: modulePath(module.module_id),
        forms: data.forms,
        description: module.module_description,
        textLang: module.textLang,
        version: fill(texts.version, { version: module.module_version }),
        state: texts.states[module.status],
        chip: moduleChips[module.status],
        needs: module.depends_on.length > 0 ? fill(texts.needs, { modules: namesOf(module.depends_on) }) : undefined,
        missing: module.missing_dependencies.map((id) => ({ name: namesOf([id]), path: modulePath(id) })),
        isRunning,
        mayAct: data.mayAct && !isRunning,
        switches: switchesOf(lang, module, data.switches, data.maySwitch),
        // After an installation, the message about it already says that the module is switched off.
        off: isRunning || saysOff(data) ? undefined : offText(lang, module, data.switches),
        installTitle: isNew ? texts.operations.install.label : texts.addComponents,
        permanent: !isNew ? undefined : data.switches.length > 0 ? texts.permanentSwitch : texts.permanent,
        places: module.status === 'not_installed' ? [] : placeLinks(lang, data.places),
        // The components that are not installed are listed in the form.
        components: module.components
          .filter(({ status }) => status !== 'not_installed')
          .map((component) => componentData(lang, component)),
        install: (module.missing_dependencies.length > 0 ? [] : possible.install).map((id) => ({
          id,
          description: module.components.find((one) => one.component_id === id)?.description ?? id,
          field: componentField(id),
          isChosen: id === 'core',
        })),
        isSingle: module.components.length === 1,
        operations: (['update', 'repair'] as const).flatMap((name) =>
          possible[name].length > 0
            ? [{ name, ...texts.operations[name], fields: possible[name].map(componentField) }]
            : [],
        ),
        runs: runRows(lang, data.runs, data.timeZone),
      },
    },
    page,
  )
}

const componentData = (lang: string, component: ListedModule['components'][number]) => ({
  id: component.component_id,
  description: component.description,
  versions: versionsText(lang, component.installed_version, component.expected_version),
  status: adminTextsFor(lang).modules.componentStates[component.status],
  chip: componentChips[component.status],
})

const saysOff = ({ outcome: { done }, runs: [last], switches }: ModulePage): boolean =>
  done === 'run' &&
  last?.outcome === 'success' &&
  last.steps.some(({ action }) => action === 'install') &&
  switches.every(({ value }) => value !== 'true')

function outcomeOf(lang: string, data: ModulePage): Pick<AdminView, 'done' | 'doneLink'> {
  const done = doneText(lang, data)
  const { firstStep: step } = data
  return { done, doneLink: done && step ? { path: step.path, label: step.label(lang) } : undefined }
}

function doneText(lang: string, { outcome: { done }, module, runs: [last] }: ModulePage): string | undefined {
  const { modules: texts } = adminTextsFor(lang)
  if (done === 'switched') return texts.switched
  if (done !== 'run' || last?.outcome !== 'success') return undefined
  if (!last.steps.some(({ action }) => action === 'install')) return texts.changed
  return module.enabled ? texts.finished : texts.finishedOff
}

/** After a run that exceeded the time limit, only the history shows whether it failed. */
function problemOf(lang: PageContext['lang'], problem: PageProblem, { outcome, runs, isRunning }: ModulePage) {
  const { modules: texts, rejections } = adminTextsFor(lang)
  if (problem) return problemText(lang, problem, { ...rejections, ...texts.rejections })
  const isFailed = outcome.done === 'run' && !isRunning && runs[0]?.outcome === 'failure'
  return isFailed ? texts.rejections.MODULE_RUN_FAILED : undefined
}
