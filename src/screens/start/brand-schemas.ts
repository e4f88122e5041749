import Type from 'typebox'
import { describe, success } from '../../http/responses/schemas.ts'

const colour = (description: string) => Type.String({ description, pattern: '^#[0-9a-f]{6}$', examples: ['#17614c'] })
const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

const Logo = Type.Object({
  url: Type.String({ description: 'URL of the picture on the service', examples: ['https://id.example.com/logo?v=1'] }),
  width: Type.Integer({ description: 'in CSS pixels' }),
  height: Type.Integer({ description: 'in CSS pixels' }),
  contains_name: Type.Boolean({ description: 'whether the logo is wide enough to replace the name' }),
})

export const BrandRoute = describe(
  {
    operationId: 'getBrand',
    errors: [],
    summary: 'Read the name, colours and logo',
    description:
      'Returns what an application needs to show pages that look like those of the service, such as an error page. ' +
      'The response can be cached for five minutes.',
    tag: 'Sign-in',
  },
  {},
  success({
    name: Type.String({ description: '`APP_NAME`', examples: ['Example'] }),
    accent: Type.Object(
      { light: colour('readable on white'), dark: colour('readable on near-black') },
      { description: '`APP_ACCENT`, adjusted to the backgrounds of both colour schemes' },
    ),
    logo: orNull(Logo),
    support_url: orNull(Type.String({ description: '`SUPPORT_URL`', examples: ['https://example.com/help'] })),
    support_email: orNull(Type.String({ description: '`SUPPORT_EMAIL`', examples: ['help@example.com'] })),
  }),
)
