import type { Readable } from 'node:stream'
import Type from 'typebox'
import { AuditEventSchema, eventFilterMembers } from '../audit/schemas.ts'
import { success } from '../http/responses/schemas.ts'
import { ExportFormatMember } from './many-users-schemas.ts'

export const AuditExportRoute = {
  operationId: 'exportAuditEvents',
  errors: ['REAUTH_REQUIRED'] as const,
  summary: 'Export the audit events that match a search',
  description:
    'Streams up to 100,000 matching events, newest first. A search with more matches is rejected. The file contains ' +
    'only events that you can list. Requires a sign-in or reauthentication within REAUTH_WINDOW. If the response is ' +
    'cut off, the file is incomplete: repeat the request. In CSV, cells that a spreadsheet would evaluate start ' +
    'with an apostrophe.',
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
