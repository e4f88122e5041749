import Type from 'typebox'
import { done, field, form_token } from '../../../../ui/console/schemas.ts'

const params = Type.Object({
  name: Type.String({ maxLength: 64 }),
  language: Type.String({ maxLength: 35 }),
})
const theme = Type.Optional(Type.String({ maxLength: 5 }))

export const TemplatesPageRoute = { summary: 'Message templates page' }

export const EditorRoute = {
  summary: 'Page for replacing a message',
  params,
  querystring: Type.Object({ done }),
}

export const draftMembers = { form_token, version: field, subject: field, text: field, html: field, theme }

export const EditorFormRoute = { params, body: Type.Object({ ...draftMembers, action: field }) }

export const FrameRoute = {
  summary: 'Message preview',
  params,
  querystring: Type.Object({ theme }),
}

export const FrameFormRoute = { params, body: Type.Object(draftMembers) }

export const VersionPageRoute = {
  summary: 'Page for an earlier template version',
  params: Type.Object({ ...params.properties, version: Type.String({ pattern: '^[1-9][0-9]{0,8}$' }) }),
}
