import Type from 'typebox'
import { exampleValues, withExample } from '../../../http/responses/examples.ts'
import { describe, Id, Pagination, pageMembers, success, Timestamp } from '../../../http/responses/schemas.ts'
import { oauthTag } from '../client-authentication/schemas.ts'
import { clientParams, needsProof } from '../clients/schemas.ts'
import { AccessResponse, effect } from './own-schemas.ts'

const ofUser = Type.Object({ user_id: Type.String({ maxLength: 100, examples: [exampleValues.id] }) })
const ended = Type.Integer({ description: 'the number of accesses that have ended' })

export const ListUserGrantsRoute = describe(
  {
    operationId: 'listUserGrants',
    summary: "List the applications that can use a user's account",
    description: 'The device is empty for users whose sessions you may not see.',
    tag: oauthTag,
    errors: ['NOT_FOUND'],
  },
  { params: ofUser },
  AccessResponse,
)

export const EndUserGrantsRoute = describe(
  {
    operationId: 'endUserGrants',
    summary: "End the access of applications to a user's account",
    description: `Also requires the permission users:end_sessions. The consents of the user stay. ${effect}`,
    tag: oauthTag,
    errors: ['NOT_FOUND', 'OAUTH_CLIENT_NOT_FOUND', 'FORBIDDEN'],
  },
  {
    params: ofUser,
    querystring: Type.Object({
      client_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'default: all clients' })),
    }),
  },
  success({ ended }),
)

const ClientGrant = Type.Object({
  id: Id,
  user: Type.Object({ id: Id, email: Type.String() }),
  scopes: Type.Array(Type.String()),
  offline: Type.Boolean({ description: 'whether the access lasts after the sign-out' }),
  created_at: Timestamp,
  last_used_at: Timestamp,
  device: Type.String({
    description: 'the browser in which the user signed in, in words; empty if you may not see it',
  }),
})

export const ListClientGrantsRoute = describe(
  {
    operationId: 'listClientGrants',
    summary: 'List the users to whose accounts a client has access',
    description: 'The latest access first.',
    tag: oauthTag,
    errors: ['OAUTH_CLIENT_NOT_FOUND'],
  },
  { params: clientParams, querystring: Type.Object(pageMembers) },
  withExample(success({ data: Type.Object({ grants: Type.Array(ClientGrant), pagination: Pagination }) }), {
    success: true,
    data: {
      grants: [
        {
          ...{ id: exampleValues.id, user: { id: exampleValues.id, email: 'ada@example.com' }, scopes: ['openid'] },
          ...{ offline: false, created_at: exampleValues.time, last_used_at: exampleValues.time },
          device: 'Firefox on Linux',
        },
      ],
      pagination: { page: 1, limit: 10, total: 1, pages: 1, has_more: false },
    },
  }),
)

export const EndClientGrantsRoute = describe(
  {
    operationId: 'endClientGrants',
    summary: 'End all access of a client to accounts',
    description:
      'In batches of 1,000, each with an audit event. The access to accounts of staff with permissions that you lack ' +
      `stays, as do consents. ${needsProof} ${effect}`,
    tag: oauthTag,
    errors: ['OAUTH_CLIENT_NOT_FOUND', 'REAUTH_REQUIRED', 'FORBIDDEN'],
  },
  { params: clientParams },
  success({ ended, kept: Type.Integer({ description: 'the number of accesses that stay' }) }),
)
