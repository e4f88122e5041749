import Type from 'typebox'
import { describe, Id, NullableTimestamp } from '../../http/schemas.ts'
import { IdOnly, reply, statuses, tag } from './schemas.ts'

const Moved = reply(
  Type.Object({ id: Id, status: Type.Enum([...statuses]), scheduled_at: Type.Optional(NullableTimestamp) }),
  {},
)
export const PublishPostRoute = describe({ summary: 'Publish a post', tag }, { params: IdOnly }, Moved)
export const UnpublishPostRoute = describe({ summary: 'Make a post a draft again', tag }, { params: IdOnly }, Moved)
export const SchedulePostRoute = describe(
  { summary: 'Publish a post at a later time', tag },
  {
    params: IdOnly,
    body: Type.Object({
      scheduled_at: Type.String({
        description: 'ISO 8601 with its zone, in the future',
        examples: ['2035-01-31T09:00:00Z'],
      }),
    }),
  },
  Moved,
)
export const RestorePostRoute = describe(
  { summary: 'Take a post out of the trash', tag },
  { params: IdOnly },
  reply(Type.Object({ id: Id, restored: Type.Literal(true), status: Type.Literal('draft') }), {}),
)
