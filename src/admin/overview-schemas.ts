import Type from 'typebox'
import { describe, Id, NullableTimestamp, namedSchema, success, Timestamp } from '../http/responses/schemas.ts'
import { type ActivityRange, type AttentionCode, activityRanges, attentionCodes } from './read-overview.ts'

const NullableCount = Type.Unsafe<number | null>({ type: ['integer', 'null'] })

const Period = Type.Object({
  start: Timestamp,
  new_people: Type.Integer(),
  sign_ins: Type.Integer(),
  failures: Type.Integer({ description: 'failed sign-ins' }),
})

const Attention = Type.Object({
  code: Type.Unsafe<AttentionCode>({ type: 'string', enum: attentionCodes }),
  count: Type.Integer(),
  since: NullableTimestamp,
})

const BusyApplication = Type.Object({
  application_id: Id,
  key: Type.String(),
  name: Type.String(),
  sign_ins: Type.Integer(),
})

export const OverviewRoute = describe(
  {
    operationId: 'getOverview',
    summary: 'Get the figures for the overview page',
    description:
      '`periods` are hours, days or months in UTC. A job updates their counts every minute. `counted_at` is the time ' +
      'of the last update, or null before the first one. `measured_at` applies to `live_sessions` and ' +
      '`second_factor_people`, which are counted every 15 minutes, or every minute while there are at most 1,000 users ' +
      'and live sessions. Above about a million users or sessions, they are estimated from a sample. ' +
      'Message and deletion counts stop at 1,000.',
    tag: 'Administration',
  },
  {
    querystring: Type.Object({
      range: Type.Optional(
        Type.Unsafe<ActivityRange>({
          type: 'string',
          enum: activityRanges,
          description: '24 hours, 30 days or 12 months; default: 30d',
          examples: ['24h'],
        }),
      ),
    }),
  },
  success({
    data: Type.Object({
      people: Type.Integer(),
      live_sessions: NullableCount,
      second_factor_people: NullableCount,
      measured_at: NullableTimestamp,
      waiting_messages: Type.Integer(),
      counted_at: NullableTimestamp,
      unit: Type.Unsafe<'hour' | 'day' | 'month'>({ type: 'string', enum: ['hour', 'day', 'month'] }),
      periods: Type.Array(namedSchema('ActivityPeriod', Period), { description: 'oldest first' }),
      applications: Type.Array(namedSchema('BusyApplication', BusyApplication), {
        description: 'the stored applications with the most sign-ins of the last 24 hours',
        maxItems: 10,
      }),
      attention: Type.Array(namedSchema('Attention', Attention)),
    }),
  }),
)
