import Type from 'typebox'
import { done, field, form_token } from '../shared/schemas.ts'

const params = Type.Object({ chapter: Type.String({ maxLength: 100 }) })

export const SettingsPageRoute = {
  summary: 'Settings page',
  querystring: Type.Object({
    q: Type.Optional(Type.String({ maxLength: 100 })),
    changed: Type.Optional(Type.String({ maxLength: 1 })),
  }),
}

export const ChapterPageRoute = {
  summary: 'Settings chapter page',
  params,
  querystring: Type.Object({ done, changed: Type.Optional(Type.String({ maxLength: 1500 })) }),
}

/** The form also has a field for each setting, named after it. */
export const ChapterFormRoute = {
  summary: 'Change the settings in a chapter',
  params,
  body: Type.Object({ form_token, version: field, reset: field }, { additionalProperties: true }),
}

export const SettingPictureFormRoute = { summary: 'Upload a picture as a setting', params }
