import type { ModuleGate, StaffRoles } from '../../context.ts'
import { isPrivileged, type RouteAccess } from '../access/access.ts'
import { endUserParameters } from '../access/end-user.ts'
import type { ApiOperation } from './operations.ts'
import { type ApiParameter, describeParameter } from './parameters.ts'
import { type RawResponse, responseObjects } from './responses.ts'
import { securityOf } from './security.ts'

export interface RawOperation {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  deprecated?: boolean
  parameters?: ApiParameter[]
  requestBody?: { content: Record<string, { schema: { required?: string[] } }> }
  responses: { 200: RawResponse }
}

export function describeOperation(raw: RawOperation, { route, secondAddresses }: ApiOperation, staff: StaffRoles) {
  const { operationId, summary, description, tags, deprecated, parameters, requestBody, responses } = raw
  const { access, limit, module, upload, forEndUsers, whileImpersonating } = route.rule
  const all = [...(parameters ?? []).map(describeParameter), ...(forEndUsers ? endUserParameters : [])]
  return {
    operationId,
    summary,
    ...(description && { description }),
    tags,
    ...(deprecated && { deprecated }),
    ...(all.length > 0 && { parameters: all }),
    ...(upload ? { requestBody: fileBody(upload) } : requestBody && { requestBody: withNeed(requestBody) }),
    responses: responseObjects(responses[200], operationId, route),
    security: securityOf(access),
    'x-access': access.description,
    ...(access.right && { 'x-bridge-right': access.right }),
    ...(access.permission && { 'x-permission': access.permission }),
    ...(access.scope && { 'x-scope': access.scope }),
    ...(isPrivileged(access) && { 'x-roles': rolesOf(access, staff) }),
    ...(access.session !== 'none' && { 'x-while-impersonating': whileImpersonating }),
    'x-rate-limit': limit,
    ...(module && { 'x-module': moduleName(module) }),
    ...(secondAddresses.length > 0 && { 'x-second-addresses': secondAddresses }),
  }
}

/** The user types that may call the route, without those that superadmins add. */
const rolesOf = ({ permission, roles = [] }: RouteAccess, staff: StaffRoles): readonly string[] => [
  ...new Set([...roles, ...(permission ? staff.typesWith(permission) : [])]),
]

const withNeed = ({ content }: NonNullable<RawOperation['requestBody']>) => ({
  required: Object.values(content).some(({ schema }) => (schema.required ?? []).length > 0),
  content,
})

const fileBody = (part: string) => ({
  required: true,
  content: {
    'multipart/form-data': {
      schema: { type: 'object', required: [part], properties: { [part]: { type: 'string', format: 'binary' } } },
    },
  },
})

const moduleName = ({ id, component }: ModuleGate): string => (component === 'core' ? id : `${id}/${component}`)
