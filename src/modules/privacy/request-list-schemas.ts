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
} from '../../http/replies/schemas.ts'
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
      description: 'time at which the user is deleted or the export expires',
    }),
    cancelled_at: NullableTimestamp,
  }),
)

export const PrivacyRequestsRoute = describe(
  {
    operationId: 'listPrivacyRequests',
    summary: 'List deletion requests and exports of all users',
    description:
      'Open requests are pending deletions and exports that have not been downloaded, with the next deadline first. ' +
      'Closed requests are cancelled deletions. Executed deletions are in the audit trail.',
    tag,
  },
  {
    querystring: Type.Object({
      state: Type.Optional(Type.Enum(['open', 'closed'], { description: 'default: open' })),
      ...pageMembers,
    }),
  },
  success({
    data: Type.Array(Request),
    meta: Type.Object({ ...Pagination.properties, has_more: Type.Boolean(), cached: Type.Boolean() }),
  }),
)
