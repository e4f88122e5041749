import Type from 'typebox'
import { flow, signInQuery } from '../flow/schemas.ts'

const text = Type.Optional(Type.String({ maxLength: 300 }))
const form_token = Type.Optional(Type.String({ maxLength: 200, description: "the service's form token" }))
const querystring = Type.Object({ flow })
// The API validates the values, and the form displays the API's error.
const field = Type.String()

export const HomeRoute = { summary: 'Start page' }
export const DocsRoute = { summary: 'API page' }
export const DescriptionRoute = { summary: 'OpenAPI 3.1' }
export const LogoRoute = { summary: 'Logo', querystring: Type.Object({ v: text, application: text }) }
export const FaviconRoute = { summary: 'Icon of browser tabs' }
export const AppleIconRoute = { summary: 'Icon of home screens' }
export const RobotsRoute = { summary: 'Rules for crawlers' }
export const LanguageFormRoute = {
  summary: 'Change the page language in this browser',
  body: Type.Object({ lang: field, back: field, form_token }),
}
export const LoginPageRoute = {
  summary: 'Sign-in page, which is also the target of mailed links and providers',
  querystring: Type.Object({
    verification: text,
    token: text,
    token_login: text,
    password_removed: text,
    requires_2fa: text,
    email_change: text,
    social_login: text,
    error: text,
    logout: text,
    reset: text,
    ended: text,
    another: text,
    cookies: text,
    flow,
    ...signInQuery,
  }),
}
export const LoginFormRoute = {
  summary: 'Sign in with a password',
  querystring,
  body: Type.Object({
    identifier: field,
    password: field,
    can_create_passkey: Type.Optional(Type.String({ description: 'set by the script of the page' })),
    form_token,
  }),
}
export const PasskeyOfferPageRoute = { summary: 'Offer of a passkey after a sign-in with a password', querystring }
export const PasskeyOfferFormRoute = {
  summary: 'Add the offered passkey, or continue without it',
  querystring,
  body: Type.Object({
    response: Type.Optional(Type.String({ description: 'passkey response as JSON' })),
    later: Type.Optional(Type.String({ description: '`true` to continue without a passkey' })),
    form_token,
  }),
}
export const CancelFormRoute = {
  summary: 'Return to the application without signing in',
  querystring,
  body: Type.Object({ form_token }),
}
export const LogoutPageRoute = {
  summary: 'Sign-out page',
  querystring: Type.Object({ flow, return_to: signInQuery.return_to, application: text }),
}
export const LogoutFormRoute = {
  summary: 'Sign out',
  querystring,
  body: Type.Object({ form_token, return_to: signInQuery.return_to }),
}
export const StopFormRoute = { summary: 'Stop acting as another user', body: Type.Object({ form_token }) }
export const LoginByMailRoute = {
  summary: 'Page for requesting a sign-in link and code',
  querystring: Type.Object({ flow, ...signInQuery }),
}
export const LoginByMailFormRoute = {
  summary: 'Request a sign-in link and code',
  querystring,
  body: Type.Object({ email: field, form_token }),
}
export const LoginCodeRoute = { summary: 'Page for entering a mailed code', querystring }
export const LoginCodeFormRoute = {
  summary: 'Sign in with a mailed code',
  querystring,
  body: Type.Object({ code: field, form_token }),
}
export const RegisterPageRoute = {
  summary: 'Registration page',
  querystring: Type.Object({ with: text, flow, ...signInQuery }),
}
export const RegisterFormRoute = {
  summary: 'Create an account',
  querystring,
  body: Type.Object({ email: field, password: field, name: field, last_name: Type.Optional(field), form_token }),
}
export const RegisterAddressFormRoute = {
  summary: 'Request a code for a registration with a passkey',
  querystring,
  body: Type.Object({ email: field, form_token }),
}
export const RegisterCodeRoute = { summary: 'Page for entering the code of a registration', querystring }
export const RegisterCodeFormRoute = {
  summary: 'Continue a registration with the mailed code',
  querystring,
  body: Type.Object({ code: field, form_token }),
}
export const RegisterPasskeyFormRoute = {
  summary: 'Create an account with a passkey',
  querystring,
  body: Type.Object({
    code: field,
    response: Type.Optional(Type.String({ description: 'passkey response as JSON' })),
    name: Type.Optional(field),
    last_name: Type.Optional(field),
    form_token,
  }),
}
export const VerifyEmailRoute = {
  summary: 'Page for verifying an email address',
  querystring: Type.Object({ sent: text, other: text, flow }),
}
export const VerifyEmailFormRoute = {
  summary: 'Resend the verification message',
  querystring,
  body: Type.Object({ email: Type.Optional(field), form_token }),
}
export const VerifyEmailCodeFormRoute = {
  summary: 'Verify an email address with a code',
  querystring,
  body: Type.Object({ code: field, form_token }),
}
export const ForgotRoute = {
  summary: 'Page for requesting a password reset',
  querystring: Type.Object({ flow, ...signInQuery }),
}
export const ForgotFormRoute = {
  summary: 'Request a password reset',
  querystring,
  body: Type.Object({ email: field, form_token }),
}
export const ForgotSentRoute = { summary: 'Page for entering a password reset code', querystring }
export const ResetCodeFormRoute = {
  summary: 'Continue with a password reset code',
  querystring,
  body: Type.Object({ code: field, form_token }),
}
const linkQuery = Type.Object({
  token: Type.Optional(Type.String({ maxLength: 200, description: 'from the link' })),
  flow,
})
export const ResetPageRoute = {
  summary: 'Page for setting a new password',
  querystring: linkQuery,
}
export const ResetFormRoute = {
  summary: 'Set a new password, or sign in if there are no passwords',
  querystring,
  body: Type.Object({ password: Type.Optional(field), form_token }),
}
export const PasskeyLinkPageRoute = {
  summary: 'Page for signing in to add a new passkey',
  querystring: linkQuery,
}
export const PasskeyLinkFormRoute = {
  summary: 'Sign in with the link to add a new passkey',
  querystring,
  body: Type.Object({ form_token }),
}
export const FirstAdminPageRoute = { summary: 'Page for creating the first superadmin' }
export const FirstAdminFormRoute = {
  summary: 'Create the first superadmin',
  body: Type.Object({ email: field, password: Type.Optional(field), name: field, form_token }),
}
export const InboxRoute = { summary: 'Development inbox', querystring: Type.Object({ to: text, since: text }) }
