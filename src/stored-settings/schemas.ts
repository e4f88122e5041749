import Type from 'typebox'
import { describe, NullableString, namedSchema, success, Timestamp } from '../http/responses/schemas.ts'

const tag = 'Administration'
const nullableTime = Type.Unsafe<string | null>({ ...Timestamp, type: ['string', 'null'] })
const words = <const Word extends string>(input: readonly Word[], description: string) =>
  Type.Unsafe<Word>({ type: 'string', enum: [...input], description })

const Setting = namedSchema(
  'Setting',
  Type.Object({
    name: Type.String(),
    chapter: Type.String({ description: 'chapter of docs/configuration.md' }),
    meaning: Type.String(),
    type: Type.String({ description: 'description of the allowed values' }),
    choices: Type.Unsafe<readonly string[] | null>({
      type: ['array', 'null'],
      items: { type: 'string' },
      description: 'the allowed values, if the setting accepts only certain values',
    }),
    picture: Type.Boolean({ description: 'whether the value is a picture' }),
    default: Type.String({ description: 'description of the default' }),
    value: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'the value in use; null for secrets and for settings without a value. For a picture, a description',
    }),
    set: Type.Boolean({ description: 'whether the setting has a value' }),
    secret: Type.Boolean(),
    source: words(
      ['default', 'environment', 'database', 'generated'],
      'source of the value; the environment takes precedence over the database',
    ),
    changeable: Type.Boolean({ description: 'whether the setting can be changed through this API' }),
    reason: Type.Unsafe<'secret' | 'read_at_start' | 'environment' | null>({
      type: ['string', 'null'],
      enum: ['secret', 'read_at_start', 'environment', null],
      description: 'why the setting cannot be changed; environment: it is set in the environment',
    }),
    unused: Type.Unsafe<{ value: string; problem: string } | null>({
      type: ['object', 'null'],
      properties: { value: { type: 'string' }, problem: { type: 'string' } },
      required: ['value', 'problem'],
      description: 'present if a stored value is not used: the value and the reason',
    }),
    changed_by: NullableString,
    changed_at: nullableTime,
  }),
)

export const SettingsRoute = describe(
  {
    operationId: 'listSettings',
    summary: 'List all settings with their values and sources',
    description: 'The values of secrets are not returned.',
    tag,
  },
  {},
  success({
    data: Type.Object({
      version: Type.Integer({ description: 'incremented whenever settings change' }),
      settings: Type.Array(Setting),
    }),
  }),
)

export const ChangeSettingsRoute = describe(
  {
    operationId: 'updateSettings',
    errors: ['REAUTH_REQUIRED', 'EDIT_CONFLICT'],
    summary: 'Change or reset settings',
    description:
      'If a change is invalid, no changes are made. The responding node applies the changes before it responds, and ' +
      'the other nodes apply them within a second, or within four seconds if messages between nodes are lost. In ' +
      'the details of a VALIDATION_ERROR, `field` is a setting name. Requires a sign-in or reauthentication within ' +
      'REAUTH_WINDOW.',
    tag,
  },
  {
    body: Type.Object(
      {
        changes: Type.Array(
          Type.Object({
            name: Type.String({ minLength: 1, maxLength: 100, examples: ['APP_NAME'] }),
            value: Type.Unsafe<string | null>({
              type: ['string', 'null'],
              maxLength: 400_000,
              examples: ['Example'],
              description:
                'a value in the format of the environment variable, or a base64 data URL for a picture; null resets ' +
                'the setting',
            }),
          }),
          { minItems: 1, maxItems: 200 },
        ),
        version: Type.Optional(
          Type.Integer({
            minimum: 0,
            description:
              '`version` from GET /auth/admin/settings; if the settings have changed since, the request is rejected ' +
              'with EDIT_CONFLICT',
          }),
        ),
        locked_out: Type.Optional(
          Type.Integer({
            minimum: 0,
            description:
              'the number of users who may lose their only way to sign in; a change that would lock out more users ' +
              'is rejected with their number',
          }),
        ),
      },
      { examples: [{ changes: [{ name: 'APP_NAME', value: 'Example' }] }] },
    ),
  },
  success({ data: Type.Object({ changed: Type.Array(Type.String()), version: Type.Integer() }) }),
)
