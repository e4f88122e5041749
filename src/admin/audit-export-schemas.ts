import type { Readable } from 'node:stream'
import Type from 'typebox'
import { AuditEventSchema, eventFilterMembers } from '../audit/schemas.ts'
import { success } from '../http/replies/schemas.ts'
import { ExportFormatMember } from './many-users-schemas.ts'

export const AuditExportRoute = {
  operationId: 'exportAuditEvents',
  errors: ['REAUTH_REQUIRED'] as const,
  summary: 'Export the audit events that match a search',
  description:
    'Streams all matching events, newest first, at most 100,000; a search that matches more is refused. The file ' +
    'contains only events that the caller can list. Requires a sign-in or reauthentication within REAUTH_WINDOW. A ' +
    'response that is cut off is incomplete: repeat the request. In CSV, cells that a spreadsheet would execute ' +
    'begin with an apostrophe.',
  tags: ['Administration'],
  querystring: Type.Object({ ...eventFilterMembers, format: ExportFormatMember }),
  response: {
    200: {
      description: 'The events, as a file.',
      content: {
        'text/csv': { schema: Type.Unsafe<Readable | string>({ type: 'string' }) },
        'application/json': { schema: success({ data: Type.Object({ events: Type.Array(AuditEventSchema) }) }) },
      },
    },
  },
}
