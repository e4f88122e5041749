import Type from 'typebox'
import { withExample } from '../../../http/responses/examples.ts'
import { describe, namedSchema, success } from '../../../http/responses/schemas.ts'
import { oauthTag } from '../client-authentication/schemas.ts'
import { changeErrors, clientParams, needsProof } from '../clients/schemas.ts'
import { type ClientTestReason, type ClientTestStepName, clientTestReasons, clientTestSteps } from './test-steps.ts'

type StepOutcome = 'passed' | 'failed' | 'skipped'

const ClientTestStep = namedSchema(
  'OAuthClientTestStep',
  Type.Object({
    step: Type.Unsafe<ClientTestStepName>({
      type: 'string',
      enum: [...clientTestSteps],
      description:
        '`client`: the client, its application and its service account are enabled; `secret`: it has a valid secret; ' +
        '`token`: a token is issued; `check`: the token is valid; `revoke`: the token is revoked',
    }),
    outcome: Type.Unsafe<StepOutcome>({ type: 'string', enum: ['passed', 'failed', 'skipped'] }),
    reason: Type.Unsafe<ClientTestReason | null>({
      type: ['string', 'null'],
      enum: [...clientTestReasons, null],
      description: 'why the step failed',
    }),
  }),
)

const text = Type.Optional(Type.String())
const time = Type.Optional(Type.Integer())

const Decoded = Type.Object({
  format: Type.Unsafe<'jwt' | 'opaque'>({ type: 'string', enum: ['jwt', 'opaque'] }),
  header: Type.Unsafe<{ alg: string; kid: string; typ: string } | null>({
    type: ['object', 'null'],
    properties: { alg: { type: 'string' }, kid: { type: 'string' }, typ: { type: 'string' } },
    required: ['alg', 'kid', 'typ'],
    description: 'null for opaque tokens, which contain nothing: `claims` is then the result of an introspection',
  }),
  claims: Type.Object({
    ...{ iss: text, sub: text, aud: text, client_id: text, scope: text },
    ...{ iat: time, exp: time, jti: text },
  }),
})

const example = {
  outcome: 'failed' as const,
  steps: [
    { step: 'client' as const, outcome: 'passed' as const, reason: null },
    { step: 'secret' as const, outcome: 'passed' as const, reason: null },
    { step: 'token' as const, outcome: 'failed' as const, reason: 'invalid_scope' as const },
    { step: 'check' as const, outcome: 'skipped' as const, reason: null },
    { step: 'revoke' as const, outcome: 'skipped' as const, reason: null },
  ],
  token: null,
}

export const TestClientRoute = describe(
  {
    operationId: 'testOAuthClient',
    summary: 'Test an OAuth client',
    description:
      'Issues a token as the token endpoint does, checks it and revokes it. The response contains the header and the ' +
      `claims of the token, but not the token. ${needsProof}`,
    tag: oauthTag,
    errors: changeErrors,
  },
  {
    params: clientParams,
    body: Type.Object(
      {
        scope: Type.Optional(Type.String({ minLength: 1, maxLength: 20_000, description: 'as at the token endpoint' })),
        resource: Type.Optional(
          Type.String({ minLength: 1, maxLength: 2_048, description: 'as at the token endpoint' }),
        ),
      },
      { examples: [{ scope: 'invoices:write' }] },
    ),
  },
  withExample(
    success({
      data: Type.Object({
        outcome: Type.Unsafe<'passed' | 'failed'>({ type: 'string', enum: ['passed', 'failed'] }),
        steps: Type.Array(ClientTestStep),
        token: Type.Union([Decoded, Type.Null()], { description: 'null if a step failed' }),
      }),
    }),
    { success: true, data: example },
  ),
)
