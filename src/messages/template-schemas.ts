import Type from 'typebox'
import { Done, describe, NullableString, NullableTimestamp, namedSchema, success } from '../http/responses/schemas.ts'
import { maxLengths } from '../outbox/check-template.ts'
import { MessageName, tag } from './outbox-schemas.ts'

type State = 'built_in' | 'custom' | 'broken'

const State = Type.Unsafe<State>({
  type: 'string',
  enum: ['built_in', 'custom', 'broken'],
  description: '`broken`: the stored template cannot be used, so the built-in message is sent',
})
const Author = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: 'name or email address of the user who changed the template; null for erased users',
})
const maximum = 1_000_000_000
const Version = Type.Integer({ minimum: 0, maximum, description: '0 if no template is stored' })
const Names = Type.Array(Type.String())

export const language = Type.String({ maxLength: 35, examples: ['en'] })
export const templateParams = Type.Object({ name: MessageName, lang: language })
const versionParams = Type.Object({
  name: MessageName,
  lang: language,
  version: Type.Integer({ minimum: 1, maximum, examples: [1] }),
})

const stateMembers = { state: State, version: Version, changed_at: NullableTimestamp, changed_by: Author }
const sourceMembers = { subject: Type.String(), text: Type.String(), html: NullableString }

const Source = namedSchema('MessageSource', Type.Object(sourceMembers))
const Rendered = namedSchema(
  'RenderedMessage',
  Type.Object({ subject: Type.String(), text: Type.String(), html: Type.String() }),
)

export const TemplatesRoute = describe(
  {
    operationId: 'listMessageTemplates',
    summary: 'List messages and the state of their templates',
    description:
      'Contains all messages in all languages, and for each one whether the built-in message or a stored ' +
      'template is sent.',
    tag,
  },
  {},
  success({
    data: Type.Object({
      languages: Names,
      messages: Type.Array(
        Type.Object({
          name: Type.String(),
          channel: Type.Unsafe<'mail' | 'sms'>({ type: 'string', enum: ['mail', 'sms'] }),
          customizable: Type.Boolean(),
          templates: Type.Array(Type.Object({ language: Type.String(), ...stateMembers })),
        }),
      ),
    }),
  }),
)

const Template = namedSchema(
  'MessageTemplate',
  Type.Object({
    name: Type.String(),
    language: Type.String(),
    channel: Type.Unsafe<'mail' | 'sms'>({ type: 'string', enum: ['mail', 'sms'] }),
    customizable: Type.Boolean(),
    ...stateMembers,
    ...sourceMembers,
    problems: Type.Array(Type.Object({ field: Type.String(), message: Type.String() })),
    built_in: Source,
    generated_html: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description:
        'the HTML generated from the built-in text, as a starting point for a template; null for text messages',
    }),
    variables: Names,
    subject_variables: Names,
    required_variables: Type.Array(Names, {
      description: 'lists of placeholders; a template must contain at least one placeholder from each list',
    }),
  }),
)

const oneTemplate = success({ data: Template })

export const TemplateRoute = describe(
  {
    operationId: 'getMessageTemplate',
    errors: ['NOT_FOUND'],
    summary: 'Get the template of a message',
    description:
      'Contains the text in use, the built-in text, and the placeholders that a template can or must contain.',
    tag,
  },
  { params: templateParams },
  oneTemplate,
)

const source = {
  subject: Type.String({ maxLength: maxLengths.subject }),
  text: Type.String({ maxLength: 2 * maxLengths.text, description: `at most ${maxLengths.text} characters` }),
  html: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: maxLengths.html,
      description: 'default: generated from the text',
    }),
  ),
}

const example = { subject: 'Confirm your address', text: 'Please confirm:\n{{url}}' }

export const ChangeTemplateRoute = describe(
  {
    operationId: 'updateMessageTemplate',
    errors: ['EDIT_CONFLICT', 'NOT_FOUND', 'REAUTH_REQUIRED'],
    summary: 'Replace the built-in message',
    description:
      'Templates support placeholders such as `{{name}}` but no other template syntax. Requires a sign-in or ' +
      'reauthentication within REAUTH_WINDOW.',
    tag,
  },
  {
    params: templateParams,
    body: Type.Object({ version: Version, ...source }, { examples: [{ version: 0, ...example }] }),
  },
  oneTemplate,
)

export const ResetTemplateRoute = describe(
  {
    operationId: 'resetMessageTemplate',
    errors: ['EDIT_CONFLICT', 'NOT_FOUND', 'REAUTH_REQUIRED'],
    summary: 'Restore the built-in message',
    description: 'Earlier versions remain readable. Requires a sign-in or reauthentication within REAUTH_WINDOW.',
    tag,
  },
  { params: templateParams, querystring: Type.Object({ version: Version }) },
  oneTemplate,
)

export const VersionsRoute = describe(
  {
    operationId: 'listMessageTemplateVersions',
    errors: ['NOT_FOUND'],
    summary: 'List the last 20 versions of a template, newest first',
    description: 'States who made each change and when. The texts are not included.',
    tag,
  },
  { params: templateParams },
  success({
    data: Type.Object({
      versions: Type.Array(
        Type.Object({
          version: Type.Integer(),
          built_in: Type.Boolean({ description: 'whether this version restored the built-in message' }),
          changed_at: Type.String({ format: 'date-time' }),
          changed_by: Author,
        }),
      ),
    }),
  }),
)

export const VersionRoute = describe(
  {
    operationId: 'getMessageTemplateVersion',
    errors: ['NOT_FOUND'],
    summary: 'Get a version of a template',
    description: 'Returns the texts as they were stored, so that you can compare them or store them again.',
    tag,
  },
  { params: versionParams },
  success({ data: Source }),
)

const draft = Type.Partial(Type.Object(source))

const Theme = Type.Unsafe<'light' | 'dark'>({
  type: 'string',
  enum: ['light', 'dark'],
  description: 'default: the colour scheme of the program displaying the HTML',
})

export const PreviewRoute = describe(
  {
    operationId: 'previewMessageTemplate',
    errors: ['NOT_FOUND'],
    summary: 'Render a message with sample values',
    description: 'Without a `subject` and a `text`, renders the message in use. Nothing is stored or sent.',
    tag,
  },
  {
    params: templateParams,
    body: Type.Object(
      { ...draft.properties, theme: Type.Optional(Theme) },
      { examples: [{ ...example, theme: 'dark' }] },
    ),
  },
  success({ data: Rendered }),
)

export const TestRoute = describe(
  {
    operationId: 'sendTestMessage',
    errors: ['EMAIL_NOT_VERIFIED', 'NOT_CONFIGURED', 'NOT_FOUND'],
    summary: 'Send a message with sample values to your own email address',
    description: 'If `subject` and `text` are omitted, sends the current message. The subject begins with `[Test]`.',
    tag,
  },
  { params: templateParams, body: Type.Object(draft.properties, { examples: [example] }) },
  Done,
)
