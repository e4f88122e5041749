import Type, { type TProperties, type TSchema } from 'typebox'
import { describe, NullableString, namedSchema, pageMembers, success, Timestamp } from '../http/responses/schemas.ts'

export const tag = 'Modules'
const slugPattern = '^[a-z0-9][a-z0-9-]{0,63}$'
const defaultScope = 'service-core'

export const words = <const Word extends string>(...input: readonly Word[]) => Type.Enum([...input])

export const params = Type.Object({ module_id: Type.String({ pattern: slugPattern, examples: ['two-factor'] }) })
export const scopeMember = {
  runtime_scope: Type.Optional(Type.String({ pattern: slugPattern, description: `default: ${defaultScope}` })),
}
const Scope = Type.Object(scopeMember)

export const around = { user_context: Type.Object({ authenticated: Type.Boolean() }) }
export const Meta = namedSchema('CacheMeta', Type.Object({ cached: Type.Boolean() }))
const ListMeta = namedSchema(
  'ListMeta',
  Type.Object({
    page: Type.Integer(),
    limit: Type.Integer(),
    total: Type.Integer(),
    pages: Type.Integer(),
    has_more: Type.Boolean(),
    cached: Type.Boolean(),
  }),
)

export const reply = <Data extends TSchema>(data: Data) => success({ data, ...around, meta: Meta })
const listResponse = <Data extends TSchema>(data: Data) =>
  success({ data: Type.Array(data), ...around, meta: ListMeta })

export const Action = words('install', 'upgrade', 'repair', 'skip', 'drift')

const componentMembers = {
  component_id: Type.String(),
  component_type: words('core', 'extension'),
  description: Type.String(),
  expected_version: Type.String(),
  installed_version: NullableString,
  installed: Type.Boolean(),
  status: words('not_installed', 'installed', 'outdated', 'drift', 'missing', 'ahead'),
  checksum_ok: Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] }),
  drift: Type.Boolean(),
  action: Action,
  depends_on: Type.Array(Type.String()),
}

const module = <Component extends TProperties, More extends TProperties>(component: Component, more: More) =>
  Type.Object({
    module_id: Type.String(),
    name: Type.String(),
    ...more,
    module_description: Type.String(),
    module_version: Type.String(),
    runtime_scope: Type.String(),
    runtime_scopes: Type.Array(Type.String()),
    depends_on: Type.Array(Type.String()),
    status: words('not_installed', 'drift', 'partial', 'update_available', 'installed'),
    enabled: Type.Boolean({ description: 'whether the settings enable the module' }),
    switches: Type.Array(Type.String(), {
      description: 'names of the settings that must be true to enable the module',
    }),
    missing_dependencies: Type.Array(Type.String()),
    components: Type.Array(Type.Object(component)),
  })

const RegistryRow = Type.Object({
  id: Type.String(),
  module_id: Type.String(),
  component_id: Type.String(),
  component_type: words('core', 'extension'),
  runtime_scope: Type.String(),
  version: Type.String(),
  checksum: Type.String({ description: 'SHA-256 hash of the executed SQL' }),
  status: words('installed', 'repaired'),
  run_id: Type.String(),
  installed_by: NullableString,
  installed_at: Timestamp,
  updated_at: Timestamp,
})

export const HubStatusRoute = describe(
  {
    operationId: 'getHubStatus',
    summary: 'Get the status of the module hub',
    description: 'States which tables of the module hub exist, and whether an installation is in progress.',
    tag,
  },
  {},
  reply(
    Type.Object({
      installed: Type.Boolean(),
      tables: Type.Array(Type.Object({ name: Type.String(), exists: Type.Boolean() })),
      runtime_scope: Type.String(),
      version: Type.String(),
      locked: Type.Boolean({ description: 'whether an installation is in progress' }),
    }),
  ),
)

export const DiscoveryRoute = describe(
  {
    operationId: 'listModules',
    summary: 'List modules and their installed components',
    description: 'Compares the components in this release with the database. Does not change anything.',
    tag,
  },
  { querystring: Scope },
  listResponse(module({ ...componentMembers, version: Type.String() }, { description: Type.String() })),
)

export const ModuleStatusRoute = describe(
  {
    operationId: 'getModule',
    errors: ['NOT_FOUND'],
    summary: 'Get a module and its installed components',
    description: 'Compares each component with the database, and states the action that an installation would take.',
    tag,
  },
  { params, querystring: Scope },
  reply(module(componentMembers, {})),
)

export const ModuleRegistryRoute = describe(
  {
    operationId: 'getModuleRegistry',
    errors: ['NOT_FOUND'],
    summary: 'List the installation history of a module',
    description: 'Newest first. Each entry contains the version and the checksum of the SQL that was executed.',
    tag,
  },
  { params, querystring: Type.Object({ ...scopeMember, ...pageMembers }) },
  listResponse(RegistryRow),
)

const Run = namedSchema(
  'ModuleRun',
  Type.Object({
    run_id: Type.String(),
    time: Timestamp,
    actor_id: NullableString,
    actor_email: NullableString,
    outcome: words('success', 'failure'),
    code: NullableString,
    reasons: Type.Array(Type.Object({ field: Type.String(), message: Type.String() })),
    steps: Type.Array(
      Type.Object({
        component_id: Type.String(),
        action: Action,
        from_version: NullableString,
        to_version: NullableString,
      }),
    ),
  }),
)

export const ModuleRunsRoute = describe(
  {
    operationId: 'listModuleRuns',
    errors: ['NOT_FOUND'],
    summary: 'List the runs of a module, newest first',
    description:
      'Includes failed runs, with reasons. `actor_id` is null for runs at service startup or from the command line.',
    tag,
  },
  { params, querystring: Type.Object({ ...scopeMember, ...pageMembers }) },
  listResponse(Run),
)
