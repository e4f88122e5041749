import Type from 'typebox'

const text = Type.Optional(Type.String({ maxLength: 300 }))

export const HomeRoute = { summary: 'Start page' }
export const DocsRoute = { summary: 'API page' }
export const DescriptionRoute = { summary: 'OpenAPI 3.1' }
export const LoginPageRoute = {
  summary: 'Where links of mails end',
  querystring: Type.Object({
    verification: text,
    token: text,
    token_login: text,
    requires_2fa: text,
    email_change: text,
    social_login: text,
    error: text,
  }),
}
export const InboxRoute = { summary: 'Development inbox', querystring: Type.Object({ to: text, since: text }) }
