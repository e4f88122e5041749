import Type from 'typebox'
import { exampleValues, withExample } from '../../http/responses/examples.ts'
import { describe, Id, NullableTimestamp, namedSchema, success } from '../../http/responses/schemas.ts'
import { maxPermissionKey } from '../../users/permission-keys.ts'

const tag = 'Administration'
const key = Type.String({ maxLength: 100, description: 'key of the application', examples: ['billing'] })

const textByLanguage = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'texts by language',
})

const ApplicationPermission = namedSchema(
  'ApplicationPermission',
  Type.Object({
    key: Type.String(),
    application: Type.Object({ id: Id, key: Type.String() }),
    title: textByLanguage,
    description: textByLanguage,
    sensitive: Type.Boolean({ description: 'whether granting it requires a recent sign-in' }),
    retired_at: Type.Unsafe<string | null>({
      ...NullableTimestamp,
      description: 'the time since which the application no longer declares it; null: declared',
    }),
  }),
)

const example = {
  ...{ key: 'invoices:read', application: { id: exampleValues.id, key: 'billing' } },
  ...{ title: { en: 'See invoices' }, description: {}, sensitive: false, retired_at: null },
}

export const ListPermissionsRoute = describe(
  {
    operationId: 'listApplicationPermissions',
    summary: 'List the permissions of applications',
    description: 'In the order of their keys, with those that are retired or whose application was deleted.',
    tag,
  },
  { querystring: Type.Object({ application: Type.Optional(key) }) },
  withExample(success({ data: Type.Object({ permissions: Type.Array(ApplicationPermission) }) }), {
    success: true,
    data: { permissions: [example] },
  }),
)

export const MovePermissionRoute = describe(
  {
    operationId: 'moveApplicationPermission',
    summary: 'Move a permission to another application',
    description:
      'Only for superadmins. The application can then declare it. Roles of the former application keep it without ' +
      'effect. Nothing changes if the permission already belongs to the application. Requires a sign-in or ' +
      'reauthentication within REAUTH_WINDOW.',
    tag,
    errors: ['NOT_FOUND', 'REAUTH_REQUIRED', 'FORBIDDEN'],
  },
  {
    params: Type.Object({
      permission: Type.String({ maxLength: 4 * maxPermissionKey, examples: ['invoices:read'] }),
    }),
    body: Type.Object({ application: key }, { examples: [{ application: 'accounting' }] }),
  },
  withExample(success({ data: ApplicationPermission }), {
    success: true,
    data: { ...example, application: { id: exampleValues.id, key: 'accounting' } },
  }),
)
