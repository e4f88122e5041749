import Type from 'typebox'
import { exampleValues, withExample } from '../../../http/responses/examples.ts'
import {
  Done,
  describe,
  Id,
  NullableTimestamp,
  namedSchema,
  success,
  Timestamp,
} from '../../../http/responses/schemas.ts'
import { oauthTag } from '../client-authentication/schemas.ts'
import { clientParams } from '../clients/schemas.ts'

const OwnGrant = Type.Object({
  id: Id,
  created_at: Timestamp,
  last_used_at: Timestamp,
  offline: Type.Boolean({ description: 'whether the access lasts after the sign-out' }),
  device: Type.String({ description: 'the browser in which the user signed in, in words' }),
})

const ApplicationAccess = namedSchema(
  'ApplicationAccess',
  Type.Object({
    client_id: Type.String(),
    name: Type.String(),
    scopes: Type.Array(Type.String()),
    targets: Type.Array(Type.String(), { description: 'the hosts and schemes to which the user was sent' }),
    consent_until: NullableTimestamp,
    first_used_at: NullableTimestamp,
    last_used_at: NullableTimestamp,
    grants: Type.Array(OwnGrant),
  }),
)

const grantExample = {
  ...{ id: exampleValues.id, created_at: exampleValues.time, last_used_at: exampleValues.time, offline: false },
  device: 'Firefox on Linux',
}

export const accessExample = {
  ...{ client_id: 'notes', name: 'Notes', scopes: ['email', 'openid'], targets: ['notes.example.com'] },
  ...{ consent_until: exampleValues.expiresAt, first_used_at: exampleValues.time, last_used_at: exampleValues.time },
  grants: [grantExample],
}

export const AccessResponse = withExample(
  success({ data: Type.Object({ applications: Type.Array(ApplicationAccess) }) }),
  {
    success: true,
    data: { applications: [accessExample] },
  },
)

export const ListOwnGrantsRoute = describe(
  {
    operationId: 'listOwnGrants',
    summary: 'List the applications that can use your account',
    description: 'With OpenID Connect or OAuth: those that you have allowed to, and those that have access now.',
    tag: oauthTag,
  },
  {},
  AccessResponse,
)

export const effect =
  'Tokens are rejected immediately by the node that handles the request, and within a second by the others. Programs that ' +
  'verify JWTs themselves accept these until they expire.'

export const EndOwnGrantRoute = describe(
  {
    operationId: 'endOwnGrant',
    summary: 'End one access of an application',
    description: `The application can ask again without your consent. ${effect}`,
    tag: oauthTag,
    errors: ['GRANT_NOT_FOUND'],
  },
  { params: Type.Object({ grant_id: Type.String({ maxLength: 100, examples: [exampleValues.id] }) }) },
  Done,
)

export const RemoveApplicationRoute = describe(
  {
    operationId: 'removeApplication',
    summary: 'Remove the access of an application',
    description: `Ends all its access and withdraws your consent. ${effect}`,
    tag: oauthTag,
    errors: ['GRANT_NOT_FOUND'],
  },
  { params: clientParams },
  Done,
)
