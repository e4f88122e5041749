import Type, { type TProperties, type TSchema } from 'typebox'
import { describe, NullableString, namedSchema, pageMembers, success, Timestamp } from '../http/replies/schemas.ts'

const tag = 'Modules'
const slugPattern = '^[a-z0-9][a-z0-9-]{0,63}$'
const defaultScope = 'service-core'

const words = <const Word extends string>(...input: readonly Word[]) => Type.Enum([...input])
const Ids = Type.Array(Type.String(), { maxItems: 64 })

const params = Type.Object({ module_id: Type.String({ pattern: slugPattern, examples: ['two-factor'] }) })
const scopeMember = {
  runtime_scope: Type.Optional(Type.String({ pattern: slugPattern, description: `default: ${defaultScope}` })),
}
const Scope = Type.Object(scopeMember)
const Nothing = Type.Object({})

const InstallBody = namedSchema(
  'InstallBody',
  Type.Object(
    {
      target: Type.Optional(Type.Enum(['core', 'selected', 'all'], { description: 'default: core' })),
      components: Type.Optional(
        Type.Array(Type.String(), {
          maxItems: 64,
          description: 'only used with target "selected"',
          examples: [['core']],
        }),
      ),
      ...scopeMember,
      verify_checksum: Type.Optional(Type.Boolean({ description: 'default: true' })),
      repair_missing: Type.Optional(Type.Boolean({ description: 'default: false, changed objects are refused' })),
      skip_existing: Type.Optional(Type.Boolean({ description: 'has no effect: existing objects are always skipped' })),
      verbose: Type.Optional(Type.Boolean({ description: 'adds `plan` to the response' })),
    },
    { examples: [{ target: 'core' }] },
  ),
)

const UpdateBody = namedSchema(
  'UpdateModuleBody',
  Type.Object(
    {
      components: Type.Optional(
        Type.Array(Type.String(), { maxItems: 64, description: 'default: every installed extension' }),
      ),
      ...scopeMember,
      verify_checksum: Type.Optional(Type.Boolean({ description: 'default: true' })),
      verbose: Type.Optional(Type.Boolean({ description: 'adds `plan` to the response' })),
    },
    { examples: [{}] },
  ),
)

const around = { user_context: Type.Object({ authenticated: Type.Boolean() }) }
const Meta = namedSchema('CacheMeta', Type.Object({ cached: Type.Boolean() }))
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

/** Responses to dry runs have no `success`. Published clients recognize a dry run by its absence. */
const dryRun = <Data extends TSchema>(data: Data) => Type.Object({ data, ...around, meta: Meta })
const reply = <Data extends TSchema>(data: Data) => success({ data, ...around, meta: Meta })
const listReply = <Data extends TSchema>(data: Data) => success({ data: Type.Array(data), ...around, meta: ListMeta })

const Plan = namedSchema(
  'InstallPlan',
  Type.Object({
    module_id: Type.String(),
    runtime_scope: Type.String(),
    dry_run: Type.Boolean(),
    resolved_order: Type.Array(Type.String()),
  }),
)

const Action = words('install', 'upgrade', 'repair', 'skip', 'drift')

const RunResult = namedSchema(
  'InstallResult',
  Type.Object({
    module_id: Type.String(),
    runtime_scope: Type.String(),
    dry_run: Type.Literal(false),
    resolved_order: Type.Array(Type.String()),
    run_id: Type.String(),
    result: Type.Object({
      installed: Ids,
      upgraded: Ids,
      repaired: Ids,
      skipped: Ids,
      failed: Ids,
      duration_ms: Type.Integer(),
    }),
    plan: Type.Optional(
      Type.Array(
        Type.Object({
          component_id: Type.String(),
          component_type: Type.String(),
          action: Action,
          from_version: NullableString,
          to_version: Type.String(),
          checksum: Type.String(),
        }),
      ),
    ),
  }),
)

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
  { operationId: 'getHubStatus', summary: 'Get the status of the module hub', tag },
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

export const HubDryRunRoute = describe(
  { operationId: 'planHubInstall', summary: 'Plan the tables of the module hub', tag },
  { body: Nothing },
  dryRun(Plan),
)

export const HubRunRoute = describe(
  {
    operationId: 'installHub',
    errors: ['INSTALL_LOCKED', 'MODULE_RUN_FAILED'],
    summary: 'Create the tables of the module hub',
    tag,
  },
  { body: Nothing },
  reply(
    Type.Object({
      installed: Type.Literal(true),
      created: Type.Array(Type.String()),
      existing: Type.Array(Type.String()),
    }),
  ),
)

export const DiscoveryRoute = describe(
  { operationId: 'listModules', summary: 'List modules and their installed components', tag },
  { querystring: Scope },
  listReply(module({ ...componentMembers, version: Type.String() }, { description: Type.String() })),
)

export const ModuleStatusRoute = describe(
  { operationId: 'getModule', errors: ['NOT_FOUND'], summary: 'Get a module and its installed components', tag },
  { params, querystring: Scope },
  reply(module(componentMembers, {})),
)

export const ModuleRegistryRoute = describe(
  {
    operationId: 'getModuleRegistry',
    errors: ['NOT_FOUND'],
    summary: 'List the installation history of a module',
    tag,
  },
  { params, querystring: Type.Object({ ...scopeMember, ...pageMembers }) },
  listReply(RegistryRow),
)

export const ModuleDryRunRoute = describe(
  {
    operationId: 'planModuleInstall',
    errors: ['NOT_FOUND'],
    summary: 'Plan an installation',
    description: 'Runs no SQL and writes only an audit event. With an empty body, the defaults apply.',
    tag,
  },
  { params, body: InstallBody },
  dryRun(Plan),
)

export const ModuleRunRoute = describe(
  {
    operationId: 'installModule',
    errors: ['INSTALL_LOCKED', 'MODULE_DEPENDENCY_ERROR', 'MODULE_DRIFT', 'MODULE_RUN_FAILED', 'NOT_FOUND'],
    summary: 'Install a module',
    description:
      'Runs in one transaction under a lock, so that everything or nothing is installed. Repeating it is safe. ' +
      'Installing a module does not enable it.',
    tag,
  },
  { params, body: InstallBody },
  reply(RunResult),
)

export const ModuleUpdateDryRunRoute = describe(
  {
    operationId: 'planModuleUpdate',
    errors: ['NOT_FOUND', 'module_not_installed'],
    summary: 'Plan an update',
    tag,
  },
  { params, body: UpdateBody },
  dryRun(Plan),
)

export const ModuleUpdateRoute = describe(
  {
    operationId: 'updateModule',
    errors: [
      'INSTALL_LOCKED',
      'MODULE_DEPENDENCY_ERROR',
      'MODULE_DRIFT',
      'MODULE_RUN_FAILED',
      'NOT_FOUND',
      'module_not_installed',
    ],
    summary: 'Update the installed components of a module to this release',
    tag,
  },
  { params, body: UpdateBody },
  reply(RunResult),
)
