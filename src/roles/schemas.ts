import Type from 'typebox'
import { exampleValues, withExample } from '../http/responses/examples.ts'
import { Done, describe, ExpectedTime, Id, NullableTimestamp, namedSchema, success } from '../http/responses/schemas.ts'
import { keyPattern, maxDescription, maxName, maxPermissions } from './read-input.ts'

const tag = 'Administration'
const needsProof = 'Requires a sign-in or reauthentication within REAUTH_WINDOW.'
const changeErrors = ['NOT_FOUND', 'REAUTH_REQUIRED', 'FORBIDDEN'] as const
const rules =
  'You can only give permissions that you have, and only superadmins can give sensitive ones. Nobody can change their ' +
  'own role.'

const Role = namedSchema(
  'Role',
  Type.Object({
    id: Type.Unsafe<string | null>({ ...Id, type: ['string', 'null'], description: 'null for built-in roles' }),
    key: Type.String({ description: 'the `user_type` of the users who have the role' }),
    name: Type.String(),
    description: Type.String(),
    built_in: Type.Boolean(),
    permissions: Type.Array(Type.String()),
    users: Type.Integer({ description: 'users who have the role, including deleted users who can be restored' }),
    created_at: NullableTimestamp,
    updated_at: NullableTimestamp,
  }),
)

const Permission = namedSchema(
  'Permission',
  Type.Object({
    key: Type.String(),
    sensitive: Type.Boolean({ description: 'whether only superadmins can give it' }),
  }),
)

const params = Type.Object({ role_id: Type.String({ maxLength: 100, examples: [exampleValues.id] }) })

const name = Type.String({ minLength: 1, maxLength: 4 * maxName, examples: ['Moderator'] })
const description = Type.String({ maxLength: 4 * maxDescription, examples: ['Blocks users who send spam'] })
const permissions = Type.Array(Type.String({ maxLength: 80 }), {
  maxItems: maxPermissions,
  description: 'permissions in the list of `GET /auth/admin/roles`',
  examples: [['users:read', 'users:block']],
})

const roleExample = {
  ...{ id: exampleValues.id, key: 'moderator', name: 'Moderator', description: 'Blocks users who send spam' },
  ...{ built_in: false, permissions: ['users:block', 'users:read'], users: 2 },
  ...{ created_at: exampleValues.time, updated_at: exampleValues.time },
}
const one = withExample(success({ data: Role }), { success: true, data: roleExample })

export const ListRolesRoute = describe(
  {
    operationId: 'listRoles',
    summary: 'List staff roles and permissions',
    description: 'The built-in roles, then the others in the order of their keys.',
    tag,
  },
  {},
  withExample(success({ data: Type.Object({ roles: Type.Array(Role), permissions: Type.Array(Permission) }) }), {
    success: true,
    data: { roles: [roleExample], permissions: [{ key: 'users:block', sensitive: false }] },
  }),
)

export const CreateRoleRoute = describe(
  {
    operationId: 'createRole',
    summary: 'Create a staff role',
    description: `Its key can then be the \`user_type\` of users. ${rules} All superadmins are sent an email. ${needsProof}`,
    tag,
    errors: ['REAUTH_REQUIRED', 'FORBIDDEN'],
  },
  {
    body: Type.Object(
      {
        key: Type.String({
          pattern: keyPattern,
          description: 'lowercase letters, digits, hyphens and underscores; cannot be changed later',
          examples: ['moderator'],
        }),
        name,
        description: Type.Optional(description),
        permissions,
      },
      { examples: [{ key: 'moderator', name: 'Moderator', permissions: ['users:read', 'users:block'] }] },
    ),
  },
  one,
)

export const UpdateRoleRoute = describe(
  {
    operationId: 'updateRole',
    summary: 'Update a staff role',
    description:
      'Members that are not sent stay as they are. Takes effect with the next request of the users who have the role. ' +
      `${rules} All superadmins are sent an email if the role gets more permissions. ${needsProof}`,
    tag,
    errors: [...changeErrors, 'EDIT_CONFLICT'],
  },
  {
    params,
    body: Type.Object(
      {
        expected_updated_at: ExpectedTime,
        name: Type.Optional(name),
        description: Type.Optional(description),
        permissions: Type.Optional(permissions),
      },
      { examples: [{ permissions: ['users:read', 'users:block', 'users:unlock'] }] },
    ),
  },
  one,
)

export const DeleteRoleRoute = describe(
  {
    operationId: 'deleteRole',
    summary: 'Delete a staff role',
    description: `Give its users another role first. ${needsProof}`,
    tag,
    errors: [...changeErrors, 'ROLE_IN_USE'],
  },
  { params },
  Done,
)
