import {
  ModuleDryRunRoute,
  ModuleRunRoute,
  ModuleUpdateDryRunRoute,
  ModuleUpdateRoute,
} from '../../../hub/install-schemas.ts'
import { call } from '../../../ui/shared/api-route.ts'
import type { ListedModule } from './modules.ts'

export type ModuleOperation = 'install' | 'update' | 'repair'

export interface ModuleForm {
  operation: ModuleOperation
  components: string[]
}

export function componentsFor({ components }: ListedModule): Record<ModuleOperation, string[]> {
  const withStatus = (...wanted: string[]) =>
    components.filter(({ status }) => wanted.includes(status)).map(({ component_id: id }) => id)
  return {
    install: withStatus('not_installed'),
    update: withStatus('outdated'),
    repair: withStatus('drift', 'missing'),
  }
}

const prefix = 'component_'

export const componentField = (id: string): string => `${prefix}${id}`

/** The form has one field per selected component. */
export const formOf = (body: Readonly<Record<string, unknown>>): ModuleForm => ({
  operation: body.operation === 'update' || body.operation === 'repair' ? body.operation : 'install',
  components: Object.keys(body).flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : [])),
})

const installBody = ({ operation, components }: ModuleForm) => ({
  target: 'selected',
  components,
  repair_missing: operation === 'repair',
})

export function planCall(id: string, form: ModuleForm) {
  const params = { module_id: id }
  if (form.operation === 'update')
    return call(ModuleUpdateDryRunRoute, { params, body: { components: form.components, with_sql: true } })
  return call(ModuleDryRunRoute, { params, body: { ...installBody(form), with_sql: true } })
}

export function runCall(id: string, form: ModuleForm) {
  const params = { module_id: id }
  if (form.operation === 'update') return call(ModuleUpdateRoute, { params, body: { components: form.components } })
  return call(ModuleRunRoute, { params, body: installBody(form) })
}
