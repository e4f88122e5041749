import Type from 'typebox'
import { describe, NullableTimestamp, namedSchema, success } from '../../http/responses/schemas.ts'
import { CurrentPassword } from '../../passwords/schemas.ts'
import { tag, UserPath } from './schemas.ts'

const Deletion = namedSchema(
  'DeletionRequestReply',
  success({
    data: Type.Object({
      status: Type.Enum(['none', 'pending', 'cancelled']),
      requested_at: NullableTimestamp,
      scheduled_for: NullableTimestamp,
    }),
  }),
)

export const DeletionRoute = describe(
  {
    operationId: 'getDeletionRequest',
    summary: 'Get the status of your deletion request',
    description: 'Returns `status: none` if there is no request. `scheduled_for` is the time of the deletion.',
    tag,
  },
  {},
  Deletion,
)

const reason = Type.Optional(
  Type.String({
    maxLength: 500,
    description: 'stored with the request and in the audit log',
    examples: ['no longer needed'],
  }),
)

export const RequestDeletionRoute = describe(
  {
    operationId: 'requestDeletion',
    errors: ['ACCOUNT_LOCKED', 'INVALID_CURRENT_PASSWORD', 'LAST_SUPERADMIN', 'REAUTH_REQUIRED'],
    summary: 'Request the deletion of your account',
    description:
      'The account is deleted after PRIVACY_DELETION_GRACE, during which you can cancel the request. Requires a ' +
      'sign-in within REAUTH_WINDOW or `current_password`. Repeating the request has no effect. DELETE ' +
      '/auth/user/me deletes the account immediately.',
    tag,
  },
  {
    body: Type.Object(
      { current_password: CurrentPassword, reason },
      { examples: [{ current_password: 'seven quiet river stones', reason: 'no longer needed' }] },
    ),
  },
  Deletion,
)

export const CancelDeletionRoute = describe(
  {
    operationId: 'cancelDeletion',
    errors: ['NOT_FOUND'],
    summary: 'Cancel the deletion of your account',
    description: 'Possible until PRIVACY_DELETION_GRACE has passed. The user is notified by email.',
    tag,
  },
  {},
  Deletion,
)

export const DeletionByAdminRoute = describe(
  {
    operationId: 'requestUserDeletion',
    errors: ['NOT_FOUND', 'LAST_SUPERADMIN'],
    summary: 'Request the deletion of a user',
    description:
      'Notifies the user by email. The user is deleted after PRIVACY_DELETION_GRACE and can cancel until then.',
    tag,
  },
  { params: UserPath, body: Type.Object({ reason }, { examples: [{ reason: 'requested by letter' }] }) },
  Deletion,
)

export const CancelByAdminRoute = describe(
  {
    operationId: 'cancelUserDeletion',
    errors: ['NOT_FOUND'],
    summary: 'Cancel the deletion of a user',
    description: 'The user is notified by email.',
    tag,
  },
  { params: UserPath },
  Deletion,
)
