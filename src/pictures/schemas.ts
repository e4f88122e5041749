import Type from 'typebox'
import { describe, success, Timestamp } from '../http/replies/schemas.ts'
import { LoginUserWithModules, UserAtTopAndBelow } from '../users/schemas.ts'

const tag = 'Profile'

export const UploadPictureRoute = describe(
  {
    operationId: 'uploadPicture',
    errors: ['NOT_CONFIGURED', [408, 'VALIDATION_ERROR']],
    summary: 'Upload a picture of yourself',
    description:
      'JPEG, PNG, WebP or GIF (its first frame) by content, at most 8192 × 8192 pixels and UPLOAD_MAX_BYTES. It is kept as ' +
      'WebP of at most 1024 pixels, without metadata, and with a thumbnail of 96 × 96. It replaces the one before.',
    tag,
  },
  {},
  success({
    message: Type.String(),
    timestamp: Timestamp,
    user: LoginUserWithModules,
    data: Type.Object({
      picture_url: Type.String({ examples: ['https://auth.example.com/auth/pictures/5f0c….webp'] }),
      thumbnail_url: Type.String({ examples: ['https://auth.example.com/auth/pictures/5f0c…-96.webp'] }),
      file_size: Type.Integer({ description: 'bytes, as kept', examples: [80454] }),
      original_size: Type.Integer({ description: 'bytes, as sent', examples: [2605960] }),
      compression_ratio: Type.String({ description: 'how much smaller it became', examples: ['97%'] }),
      method: Type.Union([Type.Literal('local'), Type.Literal('s3')], { description: 'where it is kept' }),
      user: LoginUserWithModules,
    }),
  }),
)

export const DeletePictureRoute = describe(
  {
    operationId: 'deletePicture',
    summary: 'Delete the picture of yourself',
    description: 'Also answers 200 when there was none.',
    tag,
  },
  {},
  success({ message: Type.String(), data: UserAtTopAndBelow }),
)

const Bytes = Type.Unsafe<Buffer>({ type: 'string', format: 'binary' })

export const PictureRoute = {
  operationId: 'getPicture',
  errors: ['NOT_FOUND'] as const,
  summary: 'A picture, for any page',
  description: 'Names come from the upload. What a name stands for never changes.',
  tags: [tag],
  params: Type.Object({ file: Type.String() }),
  response: { 200: { description: 'the picture', content: { 'image/webp': { schema: Bytes } } } },
}
