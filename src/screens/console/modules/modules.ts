import { adminTextsFor } from '../../../ui/console/texts/index.ts'
import { fill } from '../../../ui/texts/index.ts'

export const modulesPath = '/admin/modules'
export const modulesApi = '/api/v1/modules/install'

export const modulePath = (id: string): string => `${modulesPath}/${encodeURIComponent(id)}`
export const moduleApi = (id: string): string => `${modulesApi}/${encodeURIComponent(id)}`

export type ComponentAction = 'install' | 'upgrade' | 'repair' | 'skip' | 'drift'

export interface ListedComponent {
  component_id: string
  description: string
  expected_version: string
  installed_version: string | null
  status: 'not_installed' | 'installed' | 'outdated' | 'drift' | 'missing' | 'ahead'
}

export interface ListedModule {
  module_id: string
  name: string
  module_description: string
  module_version: string
  depends_on: string[]
  status: 'not_installed' | 'drift' | 'partial' | 'update_available' | 'installed'
  enabled: boolean
  switches: string[]
  missing_dependencies: string[]
  components: ListedComponent[]
  /** The language of the descriptions of the module and its components. Undefined before the module is localized. */
  textLang?: string
}

export interface ModuleRun {
  run_id: string
  time: string
  actor_id: string | null
  actor_email: string | null
  outcome: 'success' | 'failure'
  code: string | null
  reasons: { field: string; message: string }[]
  steps: {
    component_id: string
    action: ComponentAction
    from_version: string | null
    to_version: string | null
  }[]
}

export interface PlannedStep {
  component_id: string
  action: ComponentAction
  from_version: string | null
  to_version: string
  sql: string[]
}

export const moduleChips = {
  not_installed: '',
  drift: 'bad',
  partial: 'warn',
  update_available: 'warn',
  installed: 'good',
} as const

export const componentChips = {
  not_installed: '',
  installed: 'good',
  outdated: 'warn',
  drift: 'bad',
  missing: 'bad',
  ahead: 'warn',
} as const

export function versionsText(lang: string, installed: string | null, shipped: string): string {
  const { modules: texts } = adminTextsFor(lang)
  if (installed === null || installed === shipped) return fill(texts.version, { version: shipped })
  return fill(texts.versions, { installed, shipped })
}
