import Type from 'typebox'
import { describe, Id, NullableString } from '../../../http/replies/schemas.ts'
import { IdOnly, reply } from '../schemas.ts'

const tag = 'Blog'

export const UploadImageRoute = describe(
  {
    operationId: 'uploadFeaturedImage',
    errors: ['NOT_CONFIGURED', 'NOT_FOUND', [408, 'VALIDATION_ERROR']],
    summary: 'Upload the featured image of a post',
    description:
      'JPEG, PNG, WebP or GIF (its first frame) by content, at most 8192 × 8192 pixels and UPLOAD_MAX_BYTES. It is kept as ' +
      'WebP of at most 2400 pixels, without metadata. It replaces the one before. The part may also be called file, ' +
      'featured_image or picture.',
    tag,
  },
  { params: IdOnly },
  reply(Type.Object({ id: Id, featured_image: Type.String() }), {}),
)

export const DeleteImageRoute = describe(
  {
    operationId: 'deleteFeaturedImage',
    errors: ['NOT_FOUND'],
    summary: 'Remove the featured image of a post',
    description: 'Also answers 200 when there was none.',
    tag,
  },
  { params: IdOnly },
  reply(Type.Object({ id: Id, featured_image: NullableString }), {}),
)
