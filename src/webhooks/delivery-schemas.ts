import Type from 'typebox'
import type { DeliveryStatus } from '../db/rows/webhooks.ts'
import { EventSchema } from '../events/schemas.ts'
import {
  describe,
  Id,
  NullableString,
  NullableTimestamp,
  Pagination,
  pageMembers,
  success,
  Timestamp,
} from '../http/responses/schemas.ts'
import { deliveryParams, params, tag } from './schemas.ts'

const Status = Type.Unsafe<DeliveryStatus>({ type: 'string', enum: ['waiting', 'delivered', 'failed'] })
const ResponseStatus = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  description: 'HTTP status of the response; null without a response',
})

const deliveryMembers = {
  id: Id,
  status: Status,
  attempts: Type.Integer({ description: 'attempts since the creation or the last replay' }),
  created_at: Timestamp,
  next_attempt_at: NullableTimestamp,
  done_at: NullableTimestamp,
}

export const ListDeliveriesRoute = describe(
  {
    operationId: 'listDeliveries',
    summary: 'List the deliveries of a webhook, newest first',
    description: 'Deliveries are kept as long as their event: for `EVENT_RETENTION`.',
    tag,
    errors: ['NOT_FOUND'],
  },
  { params, querystring: Type.Object({ status: Type.Optional(Status), ...pageMembers }) },
  success({
    data: Type.Object({
      deliveries: Type.Array(
        Type.Object({
          ...deliveryMembers,
          event_id: Id,
          type: Type.String(),
          last_status: ResponseStatus,
          last_error: NullableString,
        }),
      ),
      pagination: Pagination,
    }),
  }),
)

export const GetDeliveryRoute = describe(
  {
    operationId: 'getDelivery',
    summary: 'Get a delivery with its event and its last 50 attempts',
    description:
      'Contains the start of each response that the receiver sent, so that you can find out why it rejected the ' +
      'event.',
    tag,
    errors: ['NOT_FOUND'],
  },
  { params: deliveryParams },
  success({
    data: Type.Object({
      ...deliveryMembers,
      event: EventSchema,
      log: Type.Array(
        Type.Object({
          started_at: Timestamp,
          duration_ms: Type.Integer(),
          status: ResponseStatus,
          error: NullableString,
          response: Type.Unsafe<string | null>({
            type: ['string', 'null'],
            description: 'the first 1,024 bytes of the response body',
          }),
        }),
      ),
    }),
  }),
)
