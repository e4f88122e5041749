import Type from 'typebox'
import { done, field, form_token } from '../../../ui/console/schemas.ts'

const params = Type.Object({ module: Type.String({ maxLength: 64 }) })

export const ModulesPageRoute = { summary: 'Modules page' }
export const ModulePageRoute = { summary: 'Module page', params, querystring: Type.Object({ done }) }

/** The form also has a `component_<id>` field for each selected component. */
const OperationForm = Type.Object({ form_token, operation: field }, { additionalProperties: true })
export const ModulePlanFormRoute = { summary: 'Installation plan', params, body: OperationForm }
export const ModuleRunFormRoute = { summary: 'Install, update or repair a module', params, body: OperationForm }
export const ModuleSwitchFormRoute = {
  summary: 'Switch a module on or off',
  params,
  body: Type.Object({ form_token, name: field, value: field, confirmed: field }),
}
