import Type from 'typebox'
import { flow, signInQuery } from '../flow/schemas.ts'

const text = Type.Optional(Type.String({ maxLength: 300 }))
const form_token = Type.Optional(Type.String({ maxLength: 200, description: 'of our own form' }))
const querystring = Type.Object({ flow })
// The API validates the values, and the form shows its error.
const field = Type.String()

export const HomeRoute = { summary: 'Start page' }
export const DocsRoute = { summary: 'API page' }
export const DescriptionRoute = { summary: 'OpenAPI 3.1' }
export const LogoRoute = { summary: 'Logo', querystring: Type.Object({ v: text }) }
export const LanguageFormRoute = {
  summary: 'Switch the language of pages on this browser',
  body: Type.Object({ lang: field, back: field, form_token }),
}
export const LoginPageRoute = {
  summary: 'Where people sign in, and where links of mails and visits to providers end',
  querystring: Type.Object({
    verification: text,
    token: text,
    token_login: text,
    requires_2fa: text,
    email_change: text,
    social_login: text,
    error: text,
    logout: text,
    reset: text,
    ended: text,
    another: text,
    flow,
    ...signInQuery,
  }),
}
export const LoginFormRoute = {
  summary: 'Sign in with a password',
  querystring,
  body: Type.Object({ identifier: field, password: field, form_token }),
}
export const CancelFormRoute = {
  summary: 'Go back to the application without a sign-in',
  querystring,
  body: Type.Object({ form_token }),
}
export const LogoutPageRoute = {
  summary: 'Where applications send people to sign out',
  querystring: Type.Object({ flow, return_to: signInQuery.return_to }),
}
export const LogoutFormRoute = {
  summary: 'Sign out',
  querystring,
  body: Type.Object({ form_token, return_to: signInQuery.return_to }),
}
export const LoginByMailRoute = {
  summary: 'Where people ask for a link and code',
  querystring: Type.Object({ flow, ...signInQuery }),
}
export const LoginByMailFormRoute = {
  summary: 'Ask for a link and code',
  querystring,
  body: Type.Object({ email: field, form_token }),
}
export const LoginCodeRoute = { summary: 'Where people enter a mailed code', querystring }
export const LoginCodeFormRoute = {
  summary: 'Sign in with a mailed code',
  querystring,
  body: Type.Object({ code: field, form_token }),
}
export const RegisterPageRoute = {
  summary: 'Where people make an account',
  querystring: Type.Object({ flow, ...signInQuery }),
}
export const RegisterFormRoute = {
  summary: 'Make an account',
  querystring,
  body: Type.Object({ email: field, password: field, name: field, last_name: field, form_token }),
}
export const VerifyEmailRoute = {
  summary: 'Where people wait for the message that proves their address',
  querystring: Type.Object({ sent: text, other: text, flow }),
}
export const VerifyEmailFormRoute = {
  summary: 'Ask for that message again',
  querystring,
  body: Type.Object({ email: Type.Optional(field), form_token }),
}
export const VerifyEmailCodeFormRoute = {
  summary: 'Confirm an address by the code of that message',
  querystring,
  body: Type.Object({ code: field, form_token }),
}
export const ForgotRoute = {
  summary: 'Where people ask for a link to a new password',
  querystring: Type.Object({ flow, ...signInQuery }),
}
export const ForgotFormRoute = {
  summary: 'Ask for a link to a new password',
  querystring,
  body: Type.Object({ email: field, form_token }),
}
export const ForgotSentRoute = { summary: 'Says that the message may be on its way, and takes its code', querystring }
export const ResetCodeFormRoute = {
  summary: 'Go on by the code of that message',
  querystring,
  body: Type.Object({ code: field, form_token }),
}
export const ResetPageRoute = {
  summary: 'Where the link to a new password leads',
  querystring: Type.Object({
    token: Type.Optional(Type.String({ maxLength: 200, description: 'from the link' })),
    flow,
  }),
}
export const ResetFormRoute = {
  summary: 'Set a new password',
  querystring,
  body: Type.Object({ password: field, form_token }),
}
export const SetupPageRoute = { summary: 'Where the printed link leads' }
export const SetupFormRoute = {
  summary: 'Make the first superadmin',
  body: Type.Object({ email: field, password: field, name: field, form_token }),
}
export const InboxRoute = { summary: 'Development inbox', querystring: Type.Object({ to: text, since: text }) }
