import Type from 'typebox'
import { describe, Id, NullableString } from '../../../http/responses/schemas.ts'
import { IdOnly, postResponse } from '../schemas.ts'

const tag = 'Blog'

export const UploadImageRoute = describe(
  {
    operationId: 'uploadFeaturedImage',
    errors: ['NOT_CONFIGURED', 'NOT_FOUND', [408, 'VALIDATION_ERROR']],
    summary: "Upload a post's featured image",
    description:
      'Accepts JPEG, PNG, WebP or GIF (first frame) with at most 8192 × 8192 pixels and UPLOAD_MAX_BYTES. The format ' +
      'is detected from the content. The image is stored as WebP without metadata, with sides of at most 2400 ' +
      'pixels. It replaces the previous image. The part can also be named file, featured_image or picture.',
    tag,
  },
  { params: IdOnly },
  postResponse(Type.Object({ id: Id, featured_image: Type.String() }), {}),
)

export const DeleteImageRoute = describe(
  {
    operationId: 'deleteFeaturedImage',
    errors: ['NOT_FOUND'],
    summary: "Remove a post's featured image",
    description: 'Succeeds even if there is no image.',
    tag,
  },
  { params: IdOnly },
  postResponse(Type.Object({ id: Id, featured_image: NullableString }), {}),
)
