import Type from 'typebox'
import { describe, Id, NullableString, Timestamp } from '../../../http/responses/schemas.ts'
import { IdOnly, Post, postResponse, postText, tag } from '../schemas.ts'
import { maxPreviewLinks, previewLinkDays } from './change-links.ts'

const link = { id: Id, created_at: Timestamp, expires_at: Timestamp }

export const CreatePreviewLinkRoute = describe(
  {
    operationId: 'createPreviewLink',
    errors: ['NOT_FOUND', 'POST_ALREADY_PUBLISHED', 'TOO_MANY_PREVIEW_LINKS'],
    summary: 'Create a preview link for an unpublished post',
    description:
      `Anyone who has the link can read the post for ${previewLinkDays} days, regardless of its visibility and ` +
      `password. A post has at most ${maxPreviewLinks} valid links. The token is returned only in this response.`,
    tag,
  },
  { params: IdOnly },
  postResponse(
    Type.Object({
      ...link,
      token: Type.String({ description: 'for GET /api/v1/posts/preview/{token}' }),
      url: Type.Unsafe<string | null>({ ...NullableString, description: 'null if BLOG_PAGES is false' }),
    }),
    {},
  ),
)
export const ListPreviewLinksRoute = describe(
  {
    operationId: 'listPreviewLinks',
    errors: ['NOT_FOUND'],
    summary: 'List the valid preview links of a post',
    description: 'Newest first. The tokens are not stored and cannot be listed.',
    tag,
  },
  { params: IdOnly },
  postResponse(Type.Array(Type.Object(link)), {}),
)
export const RevokePreviewLinksRoute = describe(
  {
    operationId: 'revokePreviewLinks',
    errors: ['NOT_FOUND'],
    summary: 'Revoke all preview links of a post',
    description: 'Only for the owner of the post and administrators. The links return 404 immediately.',
    tag,
  },
  { params: IdOnly },
  postResponse(Type.Object({ id: Id, revoked: Type.Integer({ description: 'number of links that were valid' }) }), {}),
)
export const ReadPreviewRoute = describe(
  {
    operationId: 'getPreview',
    errors: ['NOT_FOUND', 'PREVIEW_LINK_EXPIRED'],
    summary: 'Get a post by the token of a preview link',
    description: 'Does not count as a view. Revoked links and links of deleted posts return 404.',
    tag,
  },
  {
    params: Type.Object({ token: Type.String({ description: 'token of a preview link' }) }),
    querystring: Type.Object({ lang: postText('language tag', 'es') }),
  },
  postResponse(Post, {
    cached: Type.Literal(false),
    expires_at: Timestamp,
    fallback_lang: Type.Optional(
      Type.String({ description: 'language of the post, if it differs from the requested one' }),
    ),
  }),
)
