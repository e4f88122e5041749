import Type from 'typebox'
import {
  describe,
  Id,
  NullableString,
  NullableTimestamp,
  namedSchema,
  Pagination,
  pageMembers,
  success,
  Timestamp,
} from '../../http/responses/schemas.ts'
import { tag } from './schemas.ts'

const Request = namedSchema(
  'PrivacyRequest',
  Type.Object({
    id: Id,
    kind: Type.Enum(['deletion', 'export']),
    status: Type.Enum(['pending', 'ready', 'cancelled'], {
      description: 'ready: the link to the export has been sent to the user',
    }),
    user_id: Id,
    email: Type.String(),
    reason: NullableString,
    requested_at: Timestamp,
    due_at: Type.String({
      format: 'date-time',
      description: 'when the user will be deleted or the export expires',
    }),
    cancelled_at: NullableTimestamp,
  }),
)

export const PrivacyRequestsRoute = describe(
  {
    operationId: 'listPrivacyRequests',
    summary: "List all users' deletion requests and exports",
    description:
      'Open requests are pending deletions, and exports that have not been downloaded. The earliest deadline comes ' +
      'first. Closed requests are cancelled deletions. Completed deletions are in the audit trail.',
    tag,
  },
  {
    querystring: Type.Object({
      state: Type.Optional(Type.Enum(['open', 'closed'], { description: 'default: open' })),
      ...pageMembers,
    }),
  },
  success({ data: Type.Object({ requests: Type.Array(Request), pagination: Pagination }) }),
)
