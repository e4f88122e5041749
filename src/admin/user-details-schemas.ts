import Type from 'typebox'
import { exampleValues, withExample } from '../http/responses/examples.ts'
import { describe, NullableString, type RouteText, success } from '../http/responses/schemas.ts'
import { ManagedPasskey } from '../passkeys/managed-schemas.ts'
import { ListedSessionSchema } from '../sessions/schemas.ts'
import { LinkedAccount } from '../social/schemas.ts'
import { AdminUser } from '../users/schemas.ts'
import { aUser, tag, withMembers } from './user-schemas.ts'

const Details = {
  user: AdminUser,
  sessions: Type.Array(ListedSessionSchema),
  sessionCount: Type.Integer(),
  has_password: Type.Boolean(),
  passkeys: Type.Optional(
    Type.Array(ManagedPasskey, { description: "absent if your role may not see the user's devices" }),
  ),
  identities: Type.Array(LinkedAccount),
  profile: Type.Object({
    display_name: NullableString,
    lang: Type.String(),
    tmz: NullableString,
    metadata: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  }),
}
const ofModules = { additionalProperties: true, description: 'contains additional members if modules are installed' }

const ofUser: RouteText = {
  operationId: 'getUser',
  errors: ['NOT_FOUND'],
  summary: 'Get a user and their sessions',
  description:
    'Returns up to 50 sessions that are active or ended in the last 30 days. `sessionCount` is the number of active ' +
    'sessions.',
  tag,
}
const { id, time, expiresAt, adminUser } = exampleValues
const detailsExample = {
  user: adminUser,
  sessions: [
    {
      id,
      sessionPrefix: '9f86d081',
      ipAddress: '203.0.113.7',
      userAgent: 'Mozilla/5.0',
      userDevice: 'Chrome on macOS',
      application: null,
      applicationId: null,
      parentId: null,
      impersonated: false,
      lastUsedAt: time,
      createdAt: time,
      expiresAt,
      status: 'active',
    },
  ],
  sessionCount: 1,
  has_password: true,
  passkeys: [],
  identities: [],
  profile: { display_name: null, lang: 'en', tmz: null, metadata: {} },
}
export const DetailsRoute = describe(
  ofUser,
  aUser,
  withExample(success({ data: Type.Object(Details, ofModules) }), { success: true, data: detailsExample }),
)
export const DeprecatedDetailsRoute = describe(ofUser, aUser, success({ data: Type.Object(Details, withMembers) }))
