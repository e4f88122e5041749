import Type from 'typebox'
import { done } from '../../../ui/console/schemas.ts'
import { auditSearchNames } from './search.ts'

const value = Type.Optional(Type.String({ maxLength: 254 }))
const search = Object.fromEntries(auditSearchNames.map((name) => [name, value]))

export const AuditPageRoute = { summary: 'Audit trail page', querystring: Type.Object(search) }

export const AuditExportPageRoute = {
  summary: 'Page for exporting audit events',
  querystring: Type.Object({ ...search, done }),
}
