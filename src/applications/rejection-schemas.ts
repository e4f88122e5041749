import Type from 'typebox'
import { exampleValues, withExample } from '../http/responses/examples.ts'
import { describe, NullableString, namedSchema, success, Timestamp } from '../http/responses/schemas.ts'
import { maxRejections } from './list-rejections.ts'

const Rejection = namedSchema(
  'ApplicationRejection',
  Type.Object({
    time: Timestamp,
    step: Type.Unsafe<'return' | 'redeem'>({
      type: 'string',
      enum: ['return', 'redeem'],
      description: '`return`: the start of a sign-in or a sign-out; `redeem`: the exchange of a code for a session',
    }),
    reason: Type.String({
      description:
        '`not_declared`, `disabled`, `malformed` (the address contains what no return address may), `parameter` (the ' +
        'address is allowed, but another parameter is wrong), or the reason for which a code was not redeemed',
    }),
    parameter: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'the parameter that is wrong' }),
    page: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'the address, without its query' }),
    request_id: NullableString,
  }),
)

export const ListRejectionsRoute = describe(
  {
    operationId: 'listApplicationRejections',
    summary: 'List what was rejected for an application',
    description:
      'Sign-ins, sign-outs and codes that were rejected in the last 24 hours, newest first. Users see only that the ' +
      'address is not allowed. Without `application_id`, returns those that concern no stored application.',
    tag: 'Applications',
    errors: [],
  },
  {
    querystring: Type.Object({
      application_id: Type.Optional(Type.String({ maxLength: 100, examples: [exampleValues.id] })),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: `default: 100; values above ${maxRejections} are treated as ${maxRejections}`,
        }),
      ),
    }),
  },
  withExample(success({ data: Type.Object({ rejections: Type.Array(Rejection) }) }), {
    success: true,
    data: {
      rejections: [
        {
          time: exampleValues.time,
          step: 'return' as const,
          reason: 'not_declared',
          parameter: 'return_to',
          page: 'https://shop.example.com/callback',
          request_id: 'req_1',
        },
      ],
    },
  }),
)
