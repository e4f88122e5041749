import Type from 'typebox'
import { describe, Id, NullableTimestamp, namedSchema } from '../../http/responses/schemas.ts'
import { expected_updated_at, IdOnly, postResponse, statuses, tag } from './schemas.ts'

const Moved = namedSchema(
  'PostMoved',
  postResponse(
    Type.Object({ id: Id, status: Type.Enum([...statuses]), scheduled_at: Type.Optional(NullableTimestamp) }),
    {},
  ),
)
export const PublishPostRoute = describe(
  {
    operationId: 'publishPost',
    errors: ['EDIT_CONFLICT', 'NOT_FOUND', 'POST_TYPE_INACTIVE', 'SCHEDULING_DISABLED'],
    summary: 'Publish a post',
    description:
      "Only for the owner and administrators. If the type requires approval, a writer's post becomes `pending` " +
      'instead.',
    tag,
  },
  {
    params: IdOnly,
    body: Type.Object({ expected_updated_at }, { examples: [{ expected_updated_at: '2030-01-31T09:00:00Z' }] }),
  },
  Moved,
)
export const UnpublishPostRoute = describe(
  {
    operationId: 'unpublishPost',
    errors: ['NOT_FOUND', 'POST_TYPE_INACTIVE', 'SCHEDULING_DISABLED'],
    summary: 'Unpublish a post',
    description: 'Only for the owner and administrators. The post becomes a draft, and its preview links are revoked.',
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
    description:
      'Only for the owner and administrators. The post becomes readable at `scheduled_at`. If the type requires ' +
      "approval, a writer's post becomes `pending` and keeps the time.",
    tag,
  },
  {
    params: IdOnly,
    body: Type.Object(
      {
        scheduled_at: Type.String({
          description: 'ISO 8601 with time zone, in the future',
          examples: ['2035-01-31T09:00:00Z'],
        }),
        expected_updated_at,
      },
      { examples: [{ scheduled_at: '2035-01-31T09:00:00Z' }] },
    ),
  },
  Moved,
)
export const RestorePostRoute = describe(
  {
    operationId: 'restorePost',
    errors: ['NOT_DELETED', 'NOT_FOUND', 'SLUG_TAKEN'],
    summary: 'Restore a post from the trash',
    description:
      'The post becomes a draft. If its slug is in use, the post gets a new one. Its preview links remain ' +
      'revoked.',
    tag,
  },
  { params: IdOnly },
  postResponse(Type.Object({ id: Id, restored: Type.Literal(true), status: Type.Literal('draft') }), {}),
)
