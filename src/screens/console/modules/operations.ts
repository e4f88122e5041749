import type { PlainCall } from '../../../ui/shared/api-route.ts'
import { type ListedModule, moduleApi } from './modules.ts'

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

/** `verb` is the last path segment of the API's installation route. */
export function operationCall(id: string, { operation, components }: ModuleForm, verb: 'run' | 'dry-run'): PlainCall {
  const isPlan = verb === 'dry-run'
  const more = isPlan ? { with_sql: true } : {}
  if (operation === 'update') {
    const path = `${moduleApi(id)}/update${isPlan ? '/dry-run' : ''}`
    return { method: 'POST', path, body: { components, ...more } }
  }
  const body = { target: 'selected', components, repair_missing: operation === 'repair', ...more }
  return { method: 'POST', path: `${moduleApi(id)}/${verb}`, body }
}
