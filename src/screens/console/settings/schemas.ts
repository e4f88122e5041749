import Type from 'typebox'
import { done, field, form_token } from '../../../ui/console/schemas.ts'

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

/** The form also has a field for each setting, with the setting's name. */
export const ChapterFormRoute = {
  summary: 'Change the settings in a chapter',
  params,
  body: Type.Object({ form_token, version: field, reset: field, locked_out: field }, { additionalProperties: true }),
}

const brandMembers = {
  APP_NAME: field,
  APP_ACCENT: field,
  accent_picked: field,
  accent_before: field,
  APP_TERMS_URL: field,
  APP_PRIVACY_URL: field,
}
const view = Type.Optional(Type.String({ maxLength: 20, description: 'page or mail, and light or dark; or accent' }))

export const BrandPageRoute = {
  summary: 'Page for the name, logo, colour and links',
  querystring: Type.Object({ done }),
}
export const BrandFormRoute = {
  summary: 'Change the name, colour and links',
  body: Type.Object({ form_token, version: field, reset: field, ...brandMembers }),
}
export const BrandPictureFormRoute = { summary: 'Upload the logo' }
export const BrandPreviewRoute = { summary: 'Preview of the stored values', querystring: Type.Object({ view }) }
export const BrandPreviewFormRoute = {
  summary: 'Preview of values that are not stored',
  body: Type.Object({ form_token, version: field, view, ...brandMembers }),
}

export const SettingPictureFormRoute = { summary: 'Upload a picture as a setting', params }
