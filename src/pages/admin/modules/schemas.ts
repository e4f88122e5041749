import Type from 'typebox'
import { done, field, form_token } from '../shared/schemas.ts'

const params = Type.Object({ module: Type.String({ maxLength: 64 }) })

export const ModulesPageRoute = { summary: 'Page of modules' }
export const ModulePageRoute = { summary: 'Page of a module', params, querystring: Type.Object({ done }) }

/** The form also has a field `component_<id>` for each chosen component. */
const OperationForm = Type.Object({ form_token, operation: field }, { additionalProperties: true })
export const ModulePlanFormRoute = { summary: 'Plan of an installation', params, body: OperationForm }
export const ModuleRunFormRoute = { summary: 'Install, update or repair a module', params, body: OperationForm }
export const ModuleSwitchFormRoute = {
  summary: 'Switch a module on or off',
  params,
  body: Type.Object({ form_token, name: field, value: field }),
}
