import Type from 'typebox'
import {
  Done,
  describe,
  Id,
  NullableTimestamp,
  namedSchema,
  Pagination,
  pageMembers,
  success,
  Timestamp,
} from '../http/responses/schemas.ts'
import type { MessageState } from './outbox-queries.ts'

export const tag = 'Messages'

type Channel = 'mail' | 'sms' | 'task'

const State = Type.Unsafe<MessageState>({ type: 'string', enum: ['queued', 'sending', 'sent', 'failed', 'dropped'] })
const Channel = Type.Unsafe<Channel>({
  type: 'string',
  enum: ['mail', 'sms', 'task'],
  description: '`task`: a job that creates a message',
})
export const MessageName = Type.String({ maxLength: 64, examples: ['password_reset'] })

const Message = namedSchema(
  'OutboxMessage',
  Type.Object({
    id: Id,
    channel: Channel,
    message: Type.String(),
    state: State,
    recipient: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'masked email address or phone number; null after the content has been erased',
    }),
    reason: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'why the last attempt failed' }),
    attempts: Type.Integer(),
    created_at: Timestamp,
    next_attempt_at: NullableTimestamp,
    done_at: NullableTimestamp,
    expires_at: NullableTimestamp,
    retryable: Type.Boolean({
      description: 'whether POST /auth/admin/outbox/{message_id}/retry can send the message',
    }),
  }),
)

export const OutboxRoute = describe(
  {
    operationId: 'listMessages',
    summary: 'List messages of the last seven days, newest first',
    description:
      'Contains neither message contents nor complete email addresses or phone numbers. `dropped` messages were not ' +
      'sent because their link or code had expired. `total` counts no messages beyond the last page ' +
      'that can be requested.',
    tag,
  },
  {
    querystring: Type.Object({
      state: Type.Optional(State),
      channel: Type.Optional(Channel),
      message: Type.Optional(MessageName),
      ...pageMembers,
    }),
  },
  success({ data: Type.Object({ messages: Type.Array(Message), pagination: Pagination }) }),
)

export const RetryRoute = describe(
  {
    operationId: 'retryMessage',
    errors: ['MESSAGE_NOT_RETRYABLE', 'NOT_FOUND'],
    summary: 'Send a failed message again, or a queued message immediately',
    description:
      'The content of a failed message is stored for a day, unless the mail server permanently rejected the message. ' +
      'Messages with an expired link or code cannot be resent.',
    tag,
  },
  { params: Type.Object({ message_id: Type.String({ maxLength: 100 }) }) },
  Done,
)

export const RetryManyRoute = describe(
  {
    operationId: 'retryMessages',
    summary: 'Send failed messages again',
    description:
      'Without `ids`, resends up to 1,000 failed messages, oldest first. Messages that cannot be resent are skipped.',
    tag,
  },
  {
    body: Type.Object(
      {
        ids: Type.Optional(
          Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 1000, uniqueItems: true }),
        ),
        message: Type.Optional(MessageName),
      },
      { examples: [{ message: 'password_reset' }] },
    ),
  },
  success({ data: Type.Object({ ids: Type.Array(Id), retried: Type.Integer() }) }),
)
