import Type, { type Static } from 'typebox'
import { withExample } from '../../http/responses/examples.ts'
import { describe, success } from '../../http/responses/schemas.ts'
import { maxPermissionKey } from '../../users/permission-keys.ts'
import { keyPattern, maxDescription, maxName, maxPermissions } from '../read-input.ts'

export const maxDeclared = 1_000
export const maxDeclaredRoles = 100

const texts = (maxLength: number) =>
  Type.Record(Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$' }), Type.String({ maxLength }), {
    maxProperties: 20,
    description: 'text by language',
    examples: [{ en: 'Change invoices' }],
  })

const Permission = Type.Object(
  {
    // The rules of keys are checked later, so that rejections name the key.
    key: Type.String({ maxLength: 4 * maxPermissionKey, examples: ['invoices:write'] }),
    title: Type.Optional(texts(200)),
    description: Type.Optional(texts(1_000)),
    sensitive: Type.Optional(
      Type.Boolean({
        description: 'patterns of roles do not cover it, and granting such a role requires a recent sign-in',
      }),
    ),
  },
  { additionalProperties: false },
)

const DeclaredRole = Type.Object(
  {
    key: Type.String({ pattern: keyPattern, examples: ['accountant'] }),
    name: Type.String({ minLength: 1, maxLength: maxName, examples: ['Accountant'] }),
    description: Type.Optional(Type.String({ maxLength: maxDescription })),
    default: Type.Optional(Type.Boolean({ description: 'every user has the role' })),
    permissions: Type.Array(Type.String({ maxLength: 4 * maxPermissionKey }), {
      maxItems: maxPermissions,
      description: 'declared permissions, or patterns such as `invoices:*`',
    }),
  },
  { additionalProperties: false },
)

export const DeclarationInput = Type.Object(
  {
    application: Type.Optional(Type.String({ maxLength: 100, description: 'key of the application, as in the path' })),
    permissions: Type.Array(Permission, { maxItems: maxDeclared }),
    roles: Type.Optional(Type.Array(DeclaredRole, { maxItems: maxDeclaredRoles })),
  },
  {
    additionalProperties: false,
    examples: [
      {
        permissions: [{ key: 'invoices:read', title: { en: 'See invoices' } }],
        roles: [{ key: 'member', name: 'Member', default: true, permissions: ['invoices:read'] }],
      },
    ],
  },
)
export type DeclarationInput = Static<typeof DeclarationInput>

const keys = (description: string) => Type.Array(Type.String(), { description })

const Differences = Type.Object({
  added: keys('new, or declared again'),
  changed: keys('with other texts or permissions'),
  retired: keys('no longer declared: roles keep them, without effect'),
  removed: keys('removed with `prune`'),
})

const Applied = Type.Object({
  application: Type.String(),
  permissions: Differences,
  roles: Type.Object({ added: keys('new'), changed: keys('changed'), removed: keys('removed with `prune`') }),
  losing: Type.Array(
    Type.Object({
      role: Type.String(),
      permissions: Type.Array(Type.String()),
      users: Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: 'users who were given the role; null: every user has it',
      }),
    }),
    { description: 'roles that lose permissions' },
  ),
})

export const DeclarePermissionsRoute = describe(
  {
    operationId: 'updateApplicationPermissions',
    summary: 'Declare the permissions and roles of an application (for back ends)',
    description:
      'Idempotent. Requires a bridge secret of the application with the right `permissions`, or one of the settings ' +
      'with the application in BRIDGE_RIGHTS. A permission belongs to the first application that declares it. ' +
      'Permissions that are no longer declared are retired. With `prune=true`, they are removed, and so are roles that ' +
      'are no longer declared.',
    tag: 'Bridge',
    errors: ['NOT_FOUND', 'FORBIDDEN', 'PERMISSION_TAKEN'],
  },
  {
    params: Type.Object({
      application: Type.String({ maxLength: 100, description: 'key of the application', examples: ['billing'] }),
    }),
    querystring: Type.Object({ prune: Type.Optional(Type.Boolean({ description: 'removes what is not declared' })) }),
    body: DeclarationInput,
  },
  withExample(success({ data: Applied }), {
    success: true,
    data: {
      application: 'billing',
      permissions: { added: ['invoices:read'], changed: [], retired: [], removed: [] },
      roles: { added: ['member'], changed: [], removed: [] },
      losing: [],
    },
  }),
)
