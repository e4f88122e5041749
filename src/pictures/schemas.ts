import Type from 'typebox'
import { describe, success, Timestamp } from '../http/responses/schemas.ts'
import { LoginUserWithModules, UserAtTopAndBelow } from '../users/schemas.ts'

const tag = 'Profile'

export const UploadPictureRoute = describe(
  {
    operationId: 'uploadPicture',
    errors: ['NOT_CONFIGURED', [408, 'VALIDATION_ERROR']],
    summary: 'Upload your profile picture',
    description:
      'Accepts JPEG, PNG, WebP or GIF (first frame), detected by content, up to 8192 × 8192 pixels and ' +
      'UPLOAD_MAX_BYTES. The picture is stored as WebP without metadata, with sides of at most 1024 pixels and a 96 ' +
      '× 96 pixel thumbnail. It replaces the previous picture.',
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
      file_size: Type.Integer({ description: 'size of the stored picture in bytes', examples: [80454] }),
      original_size: Type.Integer({ description: 'size of the uploaded file in bytes', examples: [2605960] }),
      compression_ratio: Type.String({ description: 'size reduction in percent', examples: ['97%'] }),
      method: Type.Union([Type.Literal('local'), Type.Literal('s3')], { description: 'where the picture is stored' }),
      user: LoginUserWithModules,
    }),
  }),
)

export const DeletePictureRoute = describe(
  {
    operationId: 'deletePicture',
    summary: 'Delete your profile picture',
    description: 'Succeeds even if there is no picture.',
    tag,
  },
  {},
  success({ message: Type.String(), data: UserAtTopAndBelow }),
)

const Bytes = Type.Unsafe<Buffer>({ type: 'string', format: 'binary' })

export const PictureRoute = {
  operationId: 'getPicture',
  errors: ['NOT_FOUND'] as const,
  summary: 'Get a picture',
  description: 'The name is part of the URL returned by the upload. The picture with a given name never changes.',
  tags: [tag],
  params: Type.Object({ file: Type.String() }),
  response: { 200: { description: 'the picture', content: { 'image/webp': { schema: Bytes } } } },
}
