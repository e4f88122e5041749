import type { Readable } from 'node:stream'
import Type from 'typebox'
import type { UserFilter } from '../context.ts'
import { describe, namedSchema, success } from '../http/responses/schemas.ts'
import { AdminUser } from '../users/schemas.ts'
import { type BulkInput, bulkActions } from './change-many.ts'
import type { ExportFormat } from './export-file.ts'
import { filtersWith } from './search-schemas.ts'

export const ExportFormatMember = Type.Optional(
  Type.Unsafe<ExportFormat>({ type: 'string', enum: ['csv', 'json'], description: 'default: csv' }),
)

const tag = 'Administration'

/** Does not accept `page`, because the response contains all matching users. */
export const exportRoute = (filters: readonly UserFilter[]) => ({
  operationId: 'exportUsers',
  errors: ['REAUTH_REQUIRED', [400, 'module_not_installed']] as const,
  summary: 'Export the users that match a search',
  description:
    'Streams up to 100,000 matching users, ordered by id. A search with more matches is rejected. Requires a ' +
    'sign-in or reauthentication within REAUTH_WINDOW. If the response is cut off, the file is incomplete: repeat ' +
    'the request. In CSV, cells that a spreadsheet would evaluate start with an apostrophe.',
  tags: [tag],
  querystring: Type.Object({ ...filtersWith(filters), format: ExportFormatMember }),
  response: {
    200: {
      description: 'The users, as a file.',
      content: {
        'text/csv': { schema: Type.Unsafe<Readable | string>({ type: 'string' }) },
        'application/json': { schema: success({ data: Type.Object({ users: Type.Array(AdminUser) }) }) },
      },
    },
  },
})

const Result = Type.Object({
  id: Type.String(),
  ok: Type.Boolean(),
  code: Type.Optional(Type.String({ description: 'the error code that the single-user route would return' })),
  message: Type.Optional(Type.String()),
})

export const BulkRoute = describe(
  {
    operationId: 'changeUsers',
    errors: ['REAUTH_REQUIRED'],
    summary: 'Change many users',
    description:
      'Changes the users one at a time, under the rules of the single-user route, and continues after a failure. ' +
      '`results` and `ids` have the same order. After 25 seconds, the remaining users are not changed and get the ' +
      'code UNAVAILABLE: resend their ids. Each administrator can run one of these requests at a time. Requires a ' +
      'sign-in or reauthentication within REAUTH_WINDOW.',
    tag,
  },
  {
    body: Type.Object(
      {
        action: Type.Unsafe<BulkInput['action']>({ type: 'string', enum: bulkActions }),
        ids: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
          minItems: 1,
          maxItems: 1000,
          uniqueItems: true,
          description: 'user ids, without duplicates',
        }),
        reason: Type.Optional(Type.String({ maxLength: 500, description: 'required for block' })),
        until: Type.Optional(
          Type.String({ format: 'date-time', description: 'for block and grant_role; default: no end' }),
        ),
        user_type: Type.Optional(Type.String({ maxLength: 100, description: 'required for set_role' })),
        application_role: Type.Optional(
          Type.String({
            maxLength: 100,
            description: 'required for grant_role and revoke_role, such as billing:accountant',
          }),
        ),
      },
      { examples: [{ action: 'block', ids: ['019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90'], reason: 'Spam' }] },
    ),
  },
  success({ data: Type.Object({ results: Type.Array(namedSchema('BulkResult', Result)) }) }),
)
