import Type from 'typebox'
import { describe, NullableString, namedSchema, success, Timestamp } from '../http/replies/schemas.ts'

const tag = 'Administration'
const nullableTime = Type.Unsafe<string | null>({ ...Timestamp, type: ['string', 'null'] })
const words = <const Word extends string>(input: readonly Word[], description: string) =>
  Type.Unsafe<Word>({ type: 'string', enum: [...input], description })

const Setting = namedSchema(
  'Setting',
  Type.Object({
    name: Type.String(),
    chapter: Type.String({ description: 'chapter of the configuration page' }),
    meaning: Type.String(),
    type: Type.String({ description: 'allowed values, in words' }),
    choices: Type.Unsafe<readonly string[] | null>({
      type: ['array', 'null'],
      items: { type: 'string' },
      description: 'all allowed values, if there are only a few',
    }),
    picture: Type.Boolean({ description: 'whether the value is a picture' }),
    default: Type.String({ description: 'default, in words' }),
    value: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'the value in use; null for secrets and for settings without a value; pictures are described',
    }),
    set: Type.Boolean({ description: 'whether the setting has a value' }),
    secret: Type.Boolean(),
    source: words(
      ['default', 'environment', 'database', 'generated'],
      'where the value comes from; the environment takes precedence over the database',
    ),
    changeable: Type.Boolean({ description: 'whether the setting can be changed with this API' }),
    reason: Type.Unsafe<'secret' | 'read_at_start' | 'environment' | null>({
      type: ['string', 'null'],
      enum: ['secret', 'read_at_start', 'environment', null],
      description: 'why the setting cannot be changed; environment: the environment sets it',
    }),
    unused: Type.Unsafe<{ value: string; problem: string } | null>({
      type: ['object', 'null'],
      properties: { value: { type: 'string' }, problem: { type: 'string' } },
      required: ['value', 'problem'],
      description: 'a stored value that is not used, with the reason',
    }),
    changed_by: NullableString,
    changed_at: nullableTime,
  }),
)

export const SettingsRoute = describe(
  {
    operationId: 'listSettings',
    summary: 'List all settings with their values and sources',
    description: 'Values of secrets are never shown.',
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
      'Makes all changes or none. No restart is needed: this node applies the changes before it responds, and other ' +
      'nodes apply them within a second, or within four seconds if messages between nodes are lost. `field` in the ' +
      'details of a VALIDATION_ERROR is the name of a setting. Requires recent proof.',
    tag,
  },
  {
    body: Type.Object({
      changes: Type.Array(
        Type.Object({
          name: Type.String({ minLength: 1, maxLength: 100, examples: ['APP_NAME'] }),
          value: Type.Unsafe<string | null>({
            type: ['string', 'null'],
            maxLength: 400_000,
            examples: ['Example'],
            description: 'as in the environment; a picture as a base64 data URL; null resets the setting',
          }),
        }),
        { minItems: 1, maxItems: 200 },
      ),
      version: Type.Optional(
        Type.Integer({
          minimum: 0,
          description: 'the version that you have seen; EDIT_CONFLICT if the settings have changed since',
        }),
      ),
    }),
  },
  success({ data: Type.Object({ changed: Type.Array(Type.String()), version: Type.Integer() }) }),
)
