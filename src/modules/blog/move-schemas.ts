import Type from 'typebox'
import { describe, Id, NullableTimestamp, namedSchema } from '../../http/replies/schemas.ts'
import { expected_updated_at, IdOnly, postReply, statuses, tag } from './schemas.ts'

const Moved = namedSchema(
  'PostMoved',
  postReply(
    Type.Object({ id: Id, status: Type.Enum([...statuses]), scheduled_at: Type.Optional(NullableTimestamp) }),
    {},
  ),
)
export const PublishPostRoute = describe(
  {
    operationId: 'publishPost',
    errors: ['EDIT_CONFLICT', 'NOT_FOUND', 'POST_TYPE_INACTIVE', 'SCHEDULING_DISABLED'],
    summary: 'Publish a post',
    tag,
  },
  { params: IdOnly, body: Type.Object({ expected_updated_at }) },
  Moved,
)
export const UnpublishPostRoute = describe(
  {
    operationId: 'unpublishPost',
    errors: ['NOT_FOUND', 'POST_TYPE_INACTIVE', 'SCHEDULING_DISABLED'],
    summary: 'Unpublish a post',
    tag,
  },
  { params: IdOnly },
  Moved,
)
export const SchedulePostRoute = describe(
  {
    operationId: 'schedulePost',
    errors: ['EDIT_CONFLICT', 'NOT_FOUND', 'POST_TYPE_INACTIVE', 'SCHEDULING_DISABLED'],
    summary: 'Schedule a post',
    tag,
  },
  {
    params: IdOnly,
    body: Type.Object({
      scheduled_at: Type.String({
        description: 'ISO 8601 with time zone, in the future',
        examples: ['2035-01-31T09:00:00Z'],
      }),
      expected_updated_at,
    }),
  },
  Moved,
)
export const RestorePostRoute = describe(
  {
    operationId: 'restorePost',
    errors: ['NOT_DELETED', 'NOT_FOUND', 'SLUG_TAKEN'],
    summary: 'Restore a post from the trash',
    tag,
  },
  { params: IdOnly },
  postReply(Type.Object({ id: Id, restored: Type.Literal(true), status: Type.Literal('draft') }), {}),
)
