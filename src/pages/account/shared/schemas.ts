import Type from 'typebox'
import { flow } from '../../flow/schemas.ts'

const code = Type.Optional(Type.String({ maxLength: 40 }))
const address = Type.Optional(Type.String({ maxLength: 300 }))
const page = Type.Optional(Type.String({ maxLength: 200, description: 'of our own form' }))
// What is wrong in it the API says, and the form is shown again.
const field = Type.String()

/** Which of our own words say what was just done. */
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
    page,
  }),
}
export const PhoneFormRoute = { summary: 'Change your own number', body: Type.Object({ phone: field, page }) }
export const PictureFormRoute = { summary: 'Upload your own picture' }
export const RemovePictureFormRoute = { summary: 'Remove your own picture', body: Type.Object({ page }) }
export const EmailRoute = { summary: 'The address that somebody signs in with', querystring: Done }
export const EmailFormRoute = { summary: 'Ask for another address', body: Type.Object({ new_email: field, page }) }
export const CancelEmailFormRoute = { summary: 'Keep the present address', body: Type.Object({ page }) }
export const VerifyOwnFormRoute = { summary: 'Send the link that proves the address', body: Type.Object({ page }) }
export const PasswordRoute = { summary: 'The own password', querystring: Done }
export const PasswordFormRoute = {
  summary: 'Change the own password, or set the first one',
  body: Type.Object({ current_password: Type.Optional(field), new_password: field, page }),
}
export const SessionsRoute = { summary: 'Where somebody is signed in', querystring: Done }
export const EndSessionFormRoute = { summary: 'End one session', body: Type.Object({ id: field, page }) }
export const EndOthersFormRoute = { summary: 'End all other sessions', body: Type.Object({ page }) }
export const ConfirmRoute = {
  summary: 'Where people prove once more who they are',
  querystring: Type.Object({ next: address, way: Type.Optional(Type.String({ maxLength: 100 })), flow }),
}
export const ConfirmFormRoute = {
  summary: 'Prove once more who you are',
  querystring: Type.Object({ flow }),
  body: Type.Object({ next: address, way: field, proof: field, page }),
}
export const ConfirmSendFormRoute = {
  summary: 'Send a code for that',
  querystring: Type.Object({ flow }),
  body: Type.Object({ next: address, way: field, page }),
}
