import Type from 'typebox'
import { describe } from '../http/schemas.ts'
import { SignInReply } from '../sessions/schemas.ts'

const tag = 'Set-up'
const Token = Type.String({ minLength: 1, maxLength: 200, description: 'from the printed link' })

export const SetupPageRoute = {
  summary: 'Page for making the first superadmin',
  tags: [tag],
  querystring: Type.Object({ token: Token }),
}

export const SetupRoute = describe(
  { summary: 'Make the first superadmin', description: 'Works once, with the link that the first start prints.', tag },
  {
    body: Type.Object({
      token: Token,
      email: Type.String({ minLength: 1, maxLength: 254 }),
      password: Type.String({ minLength: 1, maxLength: 1024 }),
      name: Type.Optional(Type.String({ maxLength: 400 })),
    }),
  },
  SignInReply,
)
