import Type from 'typebox'
import { describe, Id, NullableTimestamp } from '../../../http/responses/schemas.ts'
import { IdOnly, PostHeaders, postResponse, tag } from '../schemas.ts'

const parts = { params: IdOnly, headers: PostHeaders }

export const ViewRoute = describe(
  {
    operationId: 'countPostView',
    errors: ['NOT_FOUND', 'PASSWORD_REQUIRED'],
    summary: 'Count a view of a post',
    description:
      'Counts one view per viewer and day (UTC). Does not count views of unpublished posts or views by the owner or ' +
      'known bots. No IP address is stored.',
    tag,
  },
  parts,
  postResponse(Type.Object({ post_id: Id, counted: Type.Boolean() }), {}),
)

const count = Type.Optional(Type.Integer())
export const StatsRoute = describe(
  {
    operationId: 'getPostStats',
    errors: ['NOT_FOUND', 'PASSWORD_REQUIRED'],
    summary: 'Get post statistics',
    description: 'The owner and administrators also get the daily views for the last 30 days.',
    tag,
  },
  parts,
  postResponse(
    Type.Object({
      post_id: Id,
      views: count,
      comments: count,
      reactions: Type.Optional(
        Type.Unsafe<Record<string, number>>({ type: 'object', additionalProperties: { type: 'integer' } }),
      ),
      bookmarks: count,
      last_viewed_at: NullableTimestamp,
      daily: Type.Optional(
        Type.Array(Type.Object({ date: Type.String({ examples: ['2030-01-31'] }), views: Type.Integer() })),
      ),
    }),
    {},
  ),
)
