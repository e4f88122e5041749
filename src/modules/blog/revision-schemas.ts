import Type from 'typebox'
import { describe, Id, NullableString, pageMembers, Timestamp } from '../../http/responses/schemas.ts'
import { expected_updated_at, formats, IdOnly, listMeta, postResponse, tag } from './schemas.ts'

const revisionMembers = {
  id: Id,
  post_id: Id,
  user_id: NullableString,
  title: Type.String(),
  excerpt: NullableString,
  created_at: Timestamp,
}
export const ListRevisionsRoute = describe(
  {
    operationId: 'listRevisions',
    errors: ['NOT_FOUND'],
    summary: "List a post's revisions",
    description: 'Newest first.',
    tag,
  },
  { params: IdOnly, querystring: Type.Object(pageMembers) },
  postResponse(Type.Array(Type.Object(revisionMembers)), listMeta),
)

const RevisionId = Type.Object({ ...IdOnly.properties, revision_id: IdOnly.properties.id })
export const ReadRevisionRoute = describe(
  {
    operationId: 'getRevision',
    errors: ['NOT_FOUND'],
    summary: 'Get a post revision',
    description:
      'Contains the source of the body, not the rendered HTML. Only the owner and administrators can read ' +
      'revisions.',
    tag,
  },
  { params: RevisionId },
  postResponse(
    Type.Object({
      ...revisionMembers,
      body: NullableString,
      body_format: Type.Enum([...formats]),
      fields: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    }),
    {},
  ),
)
export const RestoreRevisionRoute = describe(
  {
    operationId: 'restoreRevision',
    errors: ['EDIT_CONFLICT', 'NOT_FOUND', 'SLUG_TAKEN'],
    summary: 'Restore a post revision',
    description: 'The current content is saved as a revision first. The status of the post is not changed.',
    tag,
  },
  {
    params: RevisionId,
    body: Type.Object({ expected_updated_at }, { examples: [{ expected_updated_at: '2030-01-31T09:00:00Z' }] }),
  },
  postResponse(Type.Object({ id: Id, revision_id: Id, restored: Type.Literal(true) }), {}),
)
