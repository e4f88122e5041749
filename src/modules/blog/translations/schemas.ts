import Type from 'typebox'
import { describe, Id, NullableString, namedSchema, Timestamp } from '../../../http/responses/schemas.ts'
import { expected_updated_at, IdOnly, members, notes, PostHeaders, postResponse, tag, title } from '../schemas.ts'

const lang = Type.String({ description: "language tag other than the post's", examples: ['es'] })
const said = { body: members.body, excerpt: members.excerpt }
const expectedTranslation = Type.Optional(
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    keepNull: true,
    description:
      '`updated_at` of the version you read, or null if there was none; the request is rejected if that is no longer ' +
      'the current version',
    examples: [null],
  }),
)
const LangOf = Type.Object({ ...IdOnly.properties, lang: Type.String() })

const Translation = namedSchema(
  'Translation',
  Type.Object({
    id: Type.String({ format: 'uuid', description: 'id of the post' }),
    lang: Type.String(),
    title: Type.String(),
    slug: Type.String(),
    body: NullableString,
    excerpt: NullableString,
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
)

export const ListTranslationsRoute = describe(
  {
    operationId: 'listTranslations',
    errors: ['NOT_FOUND', 'PASSWORD_REQUIRED'],
    summary: 'List the translations of a post',
    description: 'Contains the texts of all translations. Posts that the caller may not read return 404.',
    tag,
  },
  { params: IdOnly, headers: PostHeaders },
  postResponse(Type.Array(Translation), {}),
)
export const SaveTranslationRoute = describe(
  {
    operationId: 'saveTranslation',
    errors: ['EDIT_CONFLICT', 'NOT_FOUND', 'PASSWORD_REQUIRED', 'SLUG_TAKEN'],
    summary: 'Translate a post',
    description:
      "Any writer who can read the post can add a translation. Its translator, the post's owner and administrators " +
      'can update it. The slug is derived from the first title.',
    tag,
  },
  {
    params: IdOnly,
    headers: PostHeaders,
    body: Type.Object(
      { lang, title, ...said, expected_updated_at: expectedTranslation },
      { examples: [{ lang: 'es', title: 'Notas sobre la máquina', body: 'Teje *patrones algebraicos*.' }] },
    ),
  },
  postResponse(Type.Object({ id: Id, lang: Type.String(), created: Type.Boolean() }), { notes }),
)
export const ChangeTranslationRoute = describe(
  {
    operationId: 'updateTranslation',
    errors: ['EDIT_CONFLICT', 'NOT_FOUND', 'PASSWORD_REQUIRED', 'SLUG_TAKEN'],
    summary: 'Update a translation',
    description: 'Absent members are not changed.',
    tag,
  },
  {
    params: LangOf,
    headers: PostHeaders,
    body: Type.Object(
      { title: Type.Optional(title), ...said, slug: members.slug, expected_updated_at },
      { examples: [{ excerpt: 'Lo que teje' }] },
    ),
  },
  postResponse(Type.Object({ id: Id, lang: Type.String(), updated: Type.Literal(true) }), { notes }),
)
export const DeleteTranslationRoute = describe(
  {
    operationId: 'deleteTranslation',
    errors: ['NOT_FOUND', 'PASSWORD_REQUIRED'],
    summary: 'Delete a translation',
    description: 'Only for the translator, the owner of the post and administrators. The original does not change.',
    tag,
  },
  { params: LangOf, headers: PostHeaders },
  postResponse(Type.Object({ id: Id, lang: Type.String(), deleted: Type.Literal(true) }), {}),
)
