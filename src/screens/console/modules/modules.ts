import type { ModuleDryRunRoute } from '../../../hub/install-schemas.ts'
import type { ModuleRunsRoute, ModuleStatusRoute } from '../../../hub/schemas.ts'
import { adminTextsFor } from '../../../ui/console/texts/index.ts'
import type { ResponseOf } from '../../../ui/shared/api-route.ts'
import { fill } from '../../../ui/texts/index.ts'

export const modulesPath = '/admin/modules'

export const modulePath = (id: string): string => `${modulesPath}/${encodeURIComponent(id)}`

export type ListedComponent = ListedModule['components'][number]

export type UnlocalizedModule = ResponseOf<typeof ModuleStatusRoute>['data']

export type ListedModule = UnlocalizedModule & {
  /** The language of the descriptions of the module and its components. */
  textLang: string
}

export type ModuleRun = ResponseOf<typeof ModuleRunsRoute>['data'][number]

export type PlannedStep = NonNullable<ResponseOf<typeof ModuleDryRunRoute>['data']['plan']>[number]

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
