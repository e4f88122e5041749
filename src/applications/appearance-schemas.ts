import Type from 'typebox'
import { exampleValues } from '../http/responses/examples.ts'
import { NullableString } from '../http/responses/schemas.ts'

/** In responses. */
export const shownAppearance = {
  accent: NullableString,
  logo: Type.Unsafe<{ url: string; width: number; height: number } | null>({
    type: ['object', 'null'],
    properties: { url: { type: 'string' }, width: { type: 'number' }, height: { type: 'number' } },
  }),
  terms_url: NullableString,
  privacy_url: NullableString,
  sign_out_url: NullableString,
}

const nullable = (maxLength: number, description: string, example: string) =>
  Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength,
      keepNull: true,
      description,
      examples: [example],
    }),
  )

/** In requests. */
export const appearanceMembers = {
  accent: nullable(
    20,
    'colour of the sign-in pages that are opened for the application; null: `APP_ACCENT`',
    '#5b21b6',
  ),
  logo: nullable(
    400_000,
    'logo on these pages as a base64 data URL of an SVG, PNG or WebP of at most 256 kB; null: `APP_LOGO`',
    'data:image/png;base64,iVBORw0KGgo=',
  ),
  terms_url: nullable(2_048, 'https; null: `APP_TERMS_URL`', 'https://shop.example.com/terms'),
  privacy_url: nullable(2_048, 'https; null: `APP_PRIVACY_URL`', 'https://shop.example.com/privacy'),
  sign_out_url: nullable(
    2_048,
    'where users are sent after a sign-out that names only the application; below a return address',
    'https://shop.example.com/bye',
  ),
}

export const appearanceExample = {
  accent: '#5b21b6',
  logo: { url: `https://id.example.com/logo?application=${exampleValues.id}&v=1`, width: 64, height: 64 },
  terms_url: null,
  privacy_url: null,
  sign_out_url: 'https://shop.example.com/bye',
}
