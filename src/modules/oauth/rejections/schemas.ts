import Type from 'typebox'
import { exampleValues, withExample } from '../../../http/responses/examples.ts'
import { describe, NullableString, namedSchema, success, Timestamp } from '../../../http/responses/schemas.ts'
import { oauthTag } from '../client-authentication/schemas.ts'
import { clientParams } from '../clients/schemas.ts'
import { maxClientRejections } from './list-rejections.ts'
import { type ClientRejectionReason, clientRejectionReasons } from './reasons.ts'

const OAuthClientRejection = namedSchema(
  'OAuthClientRejection',
  Type.Object({
    time: Timestamp,
    reason: Type.Unsafe<ClientRejectionReason>({
      type: 'string',
      enum: [...clientRejectionReasons],
      description:
        'an error code of the token endpoint, or `secret`: the secret is wrong or has ended; `not_live`: the client, its ' +
        'application or its service account is disabled; `account_ended`: the service account has ended; `rate_limited`; ' +
        '`foreign_token`, `foreign_revocation`: the client may not introspect or revoke the token',
    }),
    endpoint: NullableString,
    scopes: Type.Array(Type.String(), { description: 'the first 10 that were asked for' }),
    resource: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'without its query' }),
    request_id: NullableString,
  }),
)

export const ListClientRejectionsRoute = describe(
  {
    operationId: 'listOAuthClientRejections',
    summary: 'List what was rejected for an OAuth client',
    description:
      'Requests for tokens, introspections and revocations that were rejected in the last 24 hours, the newest first. Each ' +
      'reason is recorded once a minute per client and node.',
    tag: oauthTag,
    errors: ['OAUTH_CLIENT_NOT_FOUND'],
  },
  {
    params: clientParams,
    querystring: Type.Object({
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: `default: 100; values above ${maxClientRejections} are treated as ${maxClientRejections}`,
        }),
      ),
    }),
  },
  withExample(success({ data: Type.Object({ rejections: Type.Array(OAuthClientRejection) }) }), {
    success: true,
    data: {
      rejections: [
        {
          time: exampleValues.time,
          reason: 'invalid_scope' as const,
          endpoint: '/oauth/token',
          scopes: ['invoices:write'],
          resource: 'https://api.example.com/',
          request_id: 'req_1',
        },
      ],
    },
  }),
)
