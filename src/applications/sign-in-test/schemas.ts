import Type from 'typebox'
import { exampleValues, withExample } from '../../http/responses/examples.ts'
import { describe, NullableString, namedSchema, success } from '../../http/responses/schemas.ts'
import {
  type TestOutcome,
  type TestReason,
  type TestStepName,
  testOutcomes,
  testReasons,
  testSteps,
} from './test-steps.ts'

const outcome = Type.Unsafe<TestOutcome>({ type: 'string', enum: testOutcomes })

const ApplicationTestStep = namedSchema(
  'ApplicationTestStep',
  Type.Object({
    step: Type.Unsafe<TestStepName>({
      type: 'string',
      enum: testSteps,
      description:
        '`page`: the page can be opened; `origin`: it may call the API; `sign_in`: it leads to the sign-in page with ' +
        'valid parameters; `return`: the return address responds; `redeem`: the application redeems the code; ' +
        '`session`: the page can be opened with the session',
    }),
    outcome,
    reason: Type.Unsafe<TestReason | null>({
      type: ['string', 'null'],
      enum: [...testReasons, null],
      description: 'why the step failed or was skipped; null also for the steps after a failed one',
    }),
    page: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'the last address, without its query' }),
    status: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'the HTTP status of the response' }),
    detail: NullableString,
  }),
)

const at = { page: 'https://shop.example.com/private', status: 303, detail: null, reason: null }
const none = { reason: null, page: null, status: null, detail: null }

export const TestApplicationRoute = describe(
  {
    operationId: 'testApplication',
    summary: 'Test an application',
    description:
      'Signs a new user in to the application as a browser would, and deletes the user afterwards. The service requests ' +
      'only pages of the application, for 20 seconds at most. The result contains no part of a response. ' +
      'Requires a sign-in or reauthentication within REAUTH_WINDOW.',
    tag: 'Applications',
    errors: ['NOT_FOUND', 'REAUTH_REQUIRED'],
  },
  {
    params: Type.Object({ application_id: Type.String({ maxLength: 100, examples: [exampleValues.id] }) }),
    body: Type.Object(
      {
        page: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 2_048,
            description:
              'a page that requires a sign-in; default: the first return address or, if it requires none, /sign-in on its host',
            examples: ['https://shop.example.com/private'],
          }),
        ),
      },
      { examples: [{ page: 'https://shop.example.com/private' }] },
    ),
  },
  withExample(success({ data: Type.Object({ outcome, steps: Type.Array(ApplicationTestStep) }) }), {
    success: true,
    data: {
      outcome: 'failed' as const,
      steps: [
        { step: 'page' as const, outcome: 'passed' as const, ...at },
        { step: 'sign_in' as const, outcome: 'passed' as const, ...at },
        {
          step: 'return' as const,
          outcome: 'passed' as const,
          ...at,
          page: 'https://shop.example.com/sign-in/callback',
        },
        { step: 'redeem' as const, outcome: 'failed' as const, ...none, reason: 'code_verifier' as const },
        { step: 'session' as const, outcome: 'skipped' as const, ...none },
      ],
    },
  }),
)
