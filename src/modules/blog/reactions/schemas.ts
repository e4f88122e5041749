import Type from 'typebox'
import { describe, Id, NullableString } from '../../../http/responses/schemas.ts'
import { IdOnly, PostHeaders, postResponse, tag } from '../schemas.ts'

const parts = { params: IdOnly, headers: PostHeaders }

export const ReactionsRoute = describe(
  {
    operationId: 'getReactions',
    errors: ['NOT_FOUND', 'PASSWORD_REQUIRED'],
    summary: 'Count the reactions to a post',
    description: "Contains the number of each reaction and, with a session, the caller's own reaction.",
    tag,
  },
  parts,
  postResponse(
    Type.Object({
      post_id: Id,
      total: Type.Integer(),
      counts: Type.Unsafe<Record<string, number>>({ type: 'object', additionalProperties: { type: 'integer' } }),
      mine: NullableString,
    }),
    {},
  ),
)
export const ReactRoute = describe(
  {
    operationId: 'addReaction',
    errors: ['NOT_FOUND', 'PASSWORD_REQUIRED', 'REACTIONS_DISABLED'],
    summary: 'React to a post',
    description:
      'A user has one reaction per post. Sending the same reaction again removes it; another reaction replaces it.',
    tag,
  },
  {
    ...parts,
    body: Type.Object(
      {
        reaction: Type.String({
          description: 'one of REACTION_TYPES',
          examples: ['like'],
          aliases: ['reaction_type', 'type'],
        }),
      },
      { examples: [{ reaction: 'like' }] },
    ),
  },
  postResponse(Type.Object({ post_id: Id, reaction: Type.String(), active: Type.Boolean() }), {}),
)
export const TakeReactionBackRoute = describe(
  {
    operationId: 'removeReaction',
    errors: ['NOT_FOUND', 'PASSWORD_REQUIRED'],
    summary: 'Remove a reaction',
    description: "Removes the caller's own reaction. Has no effect if there is none.",
    tag,
  },
  parts,
  postResponse(Type.Object({ post_id: Id, reaction: Type.Null(), active: Type.Literal(false) }), {}),
)
