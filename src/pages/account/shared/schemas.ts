import Type from 'typebox'
import { flow } from '../../flow/schemas.ts'

const code = Type.Optional(Type.String({ maxLength: 40 }))
const address = Type.Optional(Type.String({ maxLength: 300 }))
const form_token = Type.Optional(Type.String({ maxLength: 200, description: 'of our own form' }))
// The API validates the values, and the form shows its error.
const field = Type.String()

export const Done = Type.Object({ done: code })

export const OverviewRoute = { summary: 'The account of whoever is signed in', querystring: Done }
export const ProfileRoute = { summary: 'What somebody tells about themselves', querystring: Done }
export const ProfileFormRoute = {
  summary: 'Change your own profile',
  body: Type.Object({
    name: field,
    last_name: field,
    display_name: field,
    user_name: field,
    title: field,
    gender: field,
    dob: field,
    lang: field,
    tmz: field,
    form_token,
  }),
}
export const PhoneFormRoute = { summary: 'Change your own number', body: Type.Object({ phone: field, form_token }) }
export const PictureFormRoute = { summary: 'Upload your own picture' }
export const RemovePictureFormRoute = { summary: 'Remove your own picture', body: Type.Object({ form_token }) }
export const EmailRoute = { summary: 'The address that somebody signs in with', querystring: Done }
export const EmailFormRoute = {
  summary: 'Ask for another address',
  body: Type.Object({ new_email: field, form_token }),
}
export const CancelEmailFormRoute = { summary: 'Keep the present address', body: Type.Object({ form_token }) }
export const VerifyOwnFormRoute = {
  summary: 'Send the link that proves the address',
  body: Type.Object({ form_token }),
}
export const PasswordRoute = { summary: 'The own password', querystring: Done }
export const PasswordFormRoute = {
  summary: 'Change the own password, or set the first one',
  body: Type.Object({ current_password: Type.Optional(field), new_password: field, form_token }),
}
export const SessionsRoute = { summary: 'Where somebody is signed in', querystring: Done }
export const EndSessionFormRoute = { summary: 'End one session', body: Type.Object({ id: field, form_token }) }
export const EndOthersFormRoute = { summary: 'End all other sessions', body: Type.Object({ form_token }) }
export const ConfirmRoute = {
  summary: 'Where people prove once more who they are',
  querystring: Type.Object({ next: address, way: Type.Optional(Type.String({ maxLength: 100 })), flow }),
}
export const ConfirmFormRoute = {
  summary: 'Prove once more who you are',
  querystring: Type.Object({ flow }),
  body: Type.Object({ next: address, way: field, proof: field, form_token }),
}
export const ConfirmSendFormRoute = {
  summary: 'Send a code for that',
  querystring: Type.Object({ flow }),
  body: Type.Object({ next: address, way: field, form_token }),
}
