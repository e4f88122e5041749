import Type from 'typebox'
import { exampleValues, withExample } from '../../http/responses/examples.ts'
import { describe, Id, NullableTimestamp, namedSchema, success, Timestamp } from '../../http/responses/schemas.ts'

const tag = 'Administration'
const params = Type.Object({ user_id: Type.String() })

const UserRole = namedSchema(
  'UserRole',
  Type.Object({
    application: Type.String({ description: 'key of the application' }),
    role: Type.String({ description: 'key of the role' }),
    name: Type.String(),
    role_id: Id,
    granted_at: Timestamp,
    granted_by: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'id of the administrator; null if an operator granted the role',
    }),
    until: NullableTimestamp,
  }),
)

const example = {
  ...{ application: 'billing', role: 'accountant', name: 'Accountant', role_id: exampleValues.id },
  ...{ granted_at: exampleValues.time, granted_by: exampleValues.id, until: null },
}
const roles = withExample(success({ data: Type.Object({ roles: Type.Array(UserRole) }) }), {
  success: true,
  data: { roles: [example] },
})

export const ListUserRolesRoute = describe(
  {
    operationId: 'listUserRoles',
    summary: 'List the application roles of a user',
    description: 'Without default roles, which every user has.',
    tag,
    errors: ['NOT_FOUND'],
  },
  { params },
  roles,
)

export const SetUserRolesRoute = describe(
  {
    operationId: 'setUserRoles',
    summary: 'Replace the application roles of a user',
    description:
      'A user can have up to 10. With `application`, only the roles of this application are replaced. Granting and ' +
      'revoking a role with a sensitive permission requires a sign-in or reauthentication within REAUTH_WINDOW. ' +
      'Nobody can change their own roles.',
    tag,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'REAUTH_REQUIRED'],
  },
  {
    params,
    body: Type.Object(
      {
        application: Type.Optional(Type.String({ maxLength: 100 })),
        roles: Type.Array(
          Type.Object(
            {
              application: Type.String({ maxLength: 100 }),
              role: Type.String({ maxLength: 100 }),
              until: Type.Optional(
                Type.Unsafe<string | null>({
                  type: ['string', 'null'],
                  maxLength: 40,
                  keepNull: true,
                  description: 'the time at which the user loses the role; null: never',
                }),
              ),
            },
            { additionalProperties: false },
          ),
          { maxItems: 100 },
        ),
      },
      { examples: [{ roles: [{ application: 'billing', role: 'accountant' }] }] },
    ),
  },
  roles,
)

const ApplicationRole = namedSchema(
  'ApplicationRole',
  Type.Object({
    id: Id,
    application: Type.String({ description: 'key of the application' }),
    role: Type.String({ description: 'key of the role' }),
    name: Type.String(),
    description: Type.String(),
    default: Type.Boolean({ description: 'whether every user has the role' }),
    users: Type.Integer({
      description:
        'users who were given the role and have it at present; GET /auth/users?application_role=… lists them',
    }),
    permissions: Type.Array(
      Type.Object({
        key: Type.String(),
        sensitive: Type.Boolean(),
        title: Type.Unsafe<Record<string, string>>({
          type: 'object',
          additionalProperties: { type: 'string' },
          description: 'texts by language',
        }),
      }),
    ),
  }),
)

const roleExample = {
  ...{ id: exampleValues.id, application: 'billing', role: 'accountant', name: 'Accountant', description: '' },
  ...{ default: false, users: 2 },
  permissions: [{ key: 'invoices:read', sensitive: false, title: { en: 'See invoices' } }],
}

export const ListApplicationRolesRoute = describe(
  {
    operationId: 'listApplicationRoles',
    summary: 'List application roles',
    description: 'The roles of all enabled applications, with the permissions that their users have at present.',
    tag,
  },
  {},
  withExample(success({ data: Type.Object({ roles: Type.Array(ApplicationRole) }) }), {
    success: true,
    data: { roles: [roleExample] },
  }),
)
