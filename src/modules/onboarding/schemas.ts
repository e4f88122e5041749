import Type, { type TProperties, type TSchema } from 'typebox'
import type { ModuleColumn } from '../../context.ts'
import {
  describe,
  Id,
  NullableString,
  NullableTimestamp,
  namedSchema,
  UserContext,
} from '../../http/responses/schemas.ts'
import { LoginUserWithModules } from '../../users/schemas.ts'
import { otherName, usualTeamSizes } from './read-acquisition.ts'

export const businessColumns: readonly ModuleColumn[] = [
  {
    name: 'is_business',
    unset: false,
    schema: Type.Boolean(),
    filter: { schema: Type.Boolean({ description: 'requires the onboarding module' }) },
  },
  { name: 'biz_name', unset: null, schema: NullableString },
  {
    name: 'biz_country',
    unset: null,
    schema: NullableString,
    filter: {
      schema: Type.String({
        pattern: '^[A-Za-z]{2}$',
        description: 'ISO alpha-2; requires the onboarding module',
        examples: ['DE'],
      }),
      read: (text) => String(text).toUpperCase(),
    },
  },
  { name: 'biz_state', unset: null, schema: NullableString },
  { name: 'biz_position', unset: null, schema: NullableString },
  { name: 'biz_postal_code', unset: null, schema: NullableString },
]

const Free = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  properties: {},
  additionalProperties: true,
  examples: [{ team: 'research', invited: 3 }],
})

const stateMembers = {
  id: Id,
  user_id: Id,
  status: Type.Enum(['not_started', 'in_progress', 'completed']),
  step: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'the next step in ONBOARDING_STEPS; null if no steps are left or ONBOARDING_STEPS is empty',
  }),
  completed: Type.Boolean(),
  data: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'the data from the start and from each step, by step name',
  }),
  steps: Type.Unsafe<Record<string, 'done' | 'skipped'>>({
    type: 'object',
    additionalProperties: { type: 'string', enum: ['done', 'skipped'] },
  }),
  started_at: NullableTimestamp,
  completed_at: NullableTimestamp,
}

const reply = <Data extends TSchema, More extends TProperties>(data: Data, more: More) =>
  Type.Object({ ...more, data, user_context: UserContext, meta: Type.Object({}) })

const State = Type.Object(stateMembers, { title: 'Onboarding' })
const StateResponse = namedSchema('OnboardingReply', reply(State, {}))

const tag = 'Onboarding'
const atMost16k =
  'The combined data of all steps is limited to 16 KiB as JSON. team_size_range and names starting with ' +
  'acquisition_ are accepted only when onboarding is completed.'

export const StateRoute = describe(
  {
    operationId: 'getOnboarding',
    summary: 'Get your onboarding status',
    description:
      'Contains the next step, the completed and skipped steps, and their data. Write-only members are never ' +
      'returned.',
    tag,
  },
  {},
  StateResponse,
)

export const StartOnboardingRoute = describe(
  {
    operationId: 'startOnboarding',
    summary: 'Start your onboarding',
    description: `The body is stored as \`data.start\`. Has no effect if onboarding has already started. ${atMost16k}`,
    tag,
  },
  { body: Free },
  StateResponse,
)

const Step = Type.Object({
  step: Type.String({
    description: 'one of ONBOARDING_STEPS, or any name if the setting is empty; up to 32 steps',
    examples: ['company'],
  }),
})

export const CompleteStepRoute = describe(
  {
    operationId: 'completeOnboardingStep',
    errors: ['NOT_FOUND', 'ONBOARDING_COMPLETED'],
    summary: 'Complete a step of your onboarding',
    description: `The body is stored as \`data.<step>\`. ${atMost16k}`,
    tag,
  },
  { params: Step, body: Free },
  StateResponse,
)

export const SkipStepRoute = describe(
  {
    operationId: 'skipOnboardingStep',
    errors: ['NOT_FOUND', 'ONBOARDING_COMPLETED'],
    summary: 'Skip a step of your onboarding',
    description: 'Stores no data. The step is no longer returned as the next step.',
    tag,
  },
  { params: Step },
  StateResponse,
)

const text = (description: string, example: string) => Type.Optional(Type.String({ description, examples: [example] }))
const written = (description: string, example: string) => text(`${description}; write-only`, example)

const CompletionBody = namedSchema(
  'OnboardingCompletion',
  Type.Object(
    {
      is_business: Type.Optional(
        Type.Boolean({ description: 'false clears all members starting with biz_', examples: [true] }),
      ),
      biz_name: text(
        '1 to 200 characters; required if is_business is true and no name is stored',
        'Analytical Engines Ltd',
      ),
      biz_country: text('ISO 3166-1 alpha-2; "" clears it', 'GB'),
      biz_state: text('at most 100 characters; "" clears it', 'London'),
      biz_position: text('at most 100 characters; "" clears it', 'Director'),
      biz_postal_code: text('at most 20 characters; "" clears it', 'W1G 9QD'),
      team_size_range: written(`at most 40 characters, usually one of ${usualTeamSizes.join(', ')}`, '2-10'),
      acquisition_source: written('at most 64 characters', 'newsletter'),
      acquisition_medium: written('at most 255 characters', 'email'),
      acquisition_campaign: written('at most 255 characters', 'spring'),
      acquisition_term: written('at most 255 characters', 'calculating machines'),
      acquisition_content: written('at most 255 characters', 'second link'),
      acquisition_referrer: written('http or https URL', 'https://search.example.com/'),
      acquisition_landing_page: written('http or https URL', 'https://www.example.org/start'),
      acquisition_channel: written('at most 64 characters', 'web'),
      acquisition_detail: written('at most 500 characters', 'A friend told me'),
      name: text('at most 100 characters; "" clears it', 'Ada'),
      last_name: text('at most 100 characters; "" clears it', 'Lovelace'),
      phone: text('as in PUT /auth/profile; "" clears it', '+447700900123'),
      display_name: text('at most 100 characters; "" clears it', 'Countess Ada'),
      lang: text('BCP 47 tag', 'es-MX'),
      tmz: text('IANA time zone; "" clears it', 'Europe/London'),
      title: text('at most 100 characters; "" clears it', 'Dr.'),
    },
    {
      examples: [{ is_business: true, biz_name: 'Analytical Engines Ltd', biz_country: 'GB' }],
      patternProperties: {
        [otherName]: Type.String({
          description:
            'additional acquisition values: up to 20 members whose names start with acquisition_, up to 500 ' +
            'characters each; write-only',
        }),
      },
    },
  ),
)

const describeCompletion = <More extends TProperties>(operationId: string, summary: string, more: More) =>
  describe(
    {
      operationId,
      errors: ['LAST_SIGN_IN_METHOD', 'PHONE_TAKEN', 'USER_NAME_TAKEN'],
      summary,
      description:
        'Can be repeated to update the business members and team_size_range. Acquisition values are stored by the ' +
        'first request that contains them and cannot be changed later. Write-only members are never returned.',
      tag,
    },
    { body: CompletionBody },
    reply(Type.Object({ ...stateMembers, user: LoginUserWithModules }), more),
  )

export const CompleteRoute = describeCompletion('completeOnboarding', 'Complete your onboarding', {})
export const CompleteOwnRoute = describeCompletion('completeOwnOnboarding', 'Complete your onboarding (user route)', {
  success: Type.Literal(true),
})
