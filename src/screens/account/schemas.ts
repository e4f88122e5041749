import Type from 'typebox'
import { flow } from '../../ui/flow/schemas.ts'

const code = Type.Optional(Type.String({ maxLength: 40 }))
const address = Type.Optional(Type.String({ maxLength: 300 }))
const form_token = Type.Optional(Type.String({ maxLength: 200, description: "the service's form token" }))
// The API validates the values, and the form displays the API's error.
const field = Type.String()

export const OutcomeQuery = Type.Object({ done: code })

export const OverviewRoute = { summary: 'Account page', querystring: OutcomeQuery }
export const ProfilePageRoute = { summary: 'Profile page', querystring: OutcomeQuery }
export const ProfileFormRoute = {
  summary: 'Save the profile',
  body: Type.Object({
    name: field,
    last_name: Type.Optional(field),
    display_name: Type.Optional(field),
    user_name: field,
    title: Type.Optional(field),
    gender: Type.Optional(field),
    dob: Type.Optional(field),
    lang: field,
    tmz: Type.Optional(field),
    form_token,
  }),
}
export const PhoneFormRoute = { summary: 'Save the phone number', body: Type.Object({ phone: field, form_token }) }
export const PictureFormRoute = { summary: 'Upload a profile picture' }
export const RemovePictureFormRoute = { summary: 'Remove the profile picture', body: Type.Object({ form_token }) }
export const EmailRoute = { summary: 'Page for the login email address', querystring: OutcomeQuery }
export const EmailFormRoute = {
  summary: 'Request an email change',
  body: Type.Object({ new_email: field, form_token }),
}
export const CancelEmailFormRoute = { summary: 'Cancel the email change', body: Type.Object({ form_token }) }
export const VerifyOwnFormRoute = {
  summary: 'Send the verification link',
  body: Type.Object({ form_token }),
}
export const PasswordRoute = { summary: 'Password page', querystring: OutcomeQuery }
export const PasswordFormRoute = {
  summary: 'Change or set the password',
  body: Type.Object({ current_password: Type.Optional(field), new_password: field, form_token }),
}
export const SessionsRoute = { summary: 'Sessions page', querystring: OutcomeQuery }
export const EndSessionFormRoute = { summary: 'End one session', body: Type.Object({ id: field, form_token }) }
export const EndOthersFormRoute = { summary: 'End all other sessions', body: Type.Object({ form_token }) }
export const ReauthenticatePageRoute = {
  summary: 'Page for confirming your identity',
  querystring: Type.Object({
    next: address,
    way: Type.Optional(Type.String({ maxLength: 100 })),
    outcome: Type.Optional(Type.String({ maxLength: 20 })),
    done: Type.Optional(Type.String({ maxLength: 20 })),
    flow,
  }),
}
export const ReauthenticateFormRoute = {
  summary: 'Confirm your identity',
  querystring: Type.Object({ flow }),
  body: Type.Object({ next: address, way: field, proof: field, form_token }),
}
export const ReauthenticateSendFormRoute = {
  summary: 'Send a code for the confirmation',
  querystring: Type.Object({ flow }),
  body: Type.Object({ next: address, way: field, form_token }),
}
