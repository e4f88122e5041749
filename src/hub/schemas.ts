import Type, { type TProperties, type TSchema } from 'typebox'
import { describe, NullableString, named, pageMembers, success, Timestamp } from '../http/replies/schemas.ts'

const tag = 'Modules'
const slugPattern = '^[a-z0-9][a-z0-9-]{0,63}$'
const defaultScope = 'service-core'

const words = <const Word extends string>(...given: readonly Word[]) => Type.Enum([...given])
const Ids = Type.Array(Type.String(), { maxItems: 64 })

const params = Type.Object({ module_id: Type.String({ pattern: slugPattern, examples: ['module-notes'] }) })
const scopeMember = {
  runtime_scope: Type.Optional(Type.String({ pattern: slugPattern, description: `${defaultScope} when absent` })),
}
const Scope = Type.Object(scopeMember)
const Nothing = Type.Object({})

const InstallBody = named(
  'InstallBody',
  Type.Object(
    {
      target: Type.Optional(Type.Enum(['core', 'selected', 'all'], { description: 'core when absent' })),
      components: Type.Optional(
        Type.Array(Type.String(), {
          maxItems: 64,
          description: 'read only with target "selected"',
          examples: [['core']],
        }),
      ),
      ...scopeMember,
      verify_checksum: Type.Optional(Type.Boolean({ description: 'true when absent' })),
      repair_missing: Type.Optional(Type.Boolean({ description: 'false when absent: what differs is refused' })),
      skip_existing: Type.Optional(Type.Boolean({ description: 'changes nothing: what is there is always skipped' })),
      verbose: Type.Optional(Type.Boolean({ description: 'adds `plan` to the reply of a run' })),
    },
    { examples: [{ target: 'core' }] },
  ),
)

const UpdateBody = named(
  'UpdateModuleBody',
  Type.Object(
    {
      components: Type.Optional(
        Type.Array(Type.String(), { maxItems: 64, description: 'every installed extension when absent' }),
      ),
      ...scopeMember,
      verify_checksum: Type.Optional(Type.Boolean({ description: 'true when absent' })),
      verbose: Type.Optional(Type.Boolean({ description: 'adds `plan` to the reply of a run' })),
    },
    { examples: [{}] },
  ),
)

const around = { user_context: Type.Object({ authenticated: Type.Boolean() }) }
const Meta = named('CacheMeta', Type.Object({ cached: Type.Boolean() }))
const ListMeta = named(
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

/** Without `success`, by which published clients recognize dry runs. */
const dryRun = <Data extends TSchema>(data: Data) => Type.Object({ data, ...around, meta: Meta })
const reply = <Data extends TSchema>(data: Data) => success({ data, ...around, meta: Meta })
const listReply = <Data extends TSchema>(data: Data) => success({ data: Type.Array(data), ...around, meta: ListMeta })

const Plan = named(
  'InstallPlan',
  Type.Object({
    module_id: Type.String(),
    runtime_scope: Type.String(),
    dry_run: Type.Boolean(),
    resolved_order: Type.Array(Type.String()),
  }),
)

const Action = words('install', 'upgrade', 'repair', 'skip', 'drift')

const RunResult = named(
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
    enabled: Type.Boolean({ description: 'whether the settings want it' }),
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
  checksum: Type.String({ description: 'SHA-256 of the SQL that was run' }),
  status: words('installed', 'repaired'),
  run_id: Type.String(),
  installed_by: NullableString,
  installed_at: Timestamp,
  updated_at: Timestamp,
})

export const HubStatusRoute = describe(
  { operationId: 'getHubStatus', summary: 'Whether the module hub has its tables', tag },
  {},
  reply(
    Type.Object({
      installed: Type.Boolean(),
      tables: Type.Array(Type.Object({ name: Type.String(), exists: Type.Boolean() })),
      runtime_scope: Type.String(),
      version: Type.String(),
      locked: Type.Boolean({ description: 'whether a run is under way' }),
    }),
  ),
)

export const HubDryRunRoute = describe(
  { operationId: 'planHubInstall', summary: 'Which tables the hub would make for itself', tag },
  { body: Nothing },
  dryRun(Plan),
)

export const HubRunRoute = describe(
  {
    operationId: 'installHub',
    errors: ['INSTALL_LOCKED', 'MODULE_RUN_FAILED'],
    summary: 'Make the tables of the hub; the first installation does it as well',
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
  { operationId: 'listModules', summary: 'Every module of this release, and what of it is installed', tag },
  { querystring: Scope },
  listReply(module({ ...componentMembers, version: Type.String() }, { description: Type.String() })),
)

export const StatusRoute = describe(
  { operationId: 'getModule', errors: ['NOT_FOUND'], summary: 'One module, and what of it is installed', tag },
  { params, querystring: Scope },
  reply(module(componentMembers, {})),
)

export const RegistryRoute = describe(
  {
    operationId: 'getModuleRegistry',
    errors: ['NOT_FOUND'],
    summary: 'What was installed of a module, when and by whom',
    tag,
  },
  { params, querystring: Type.Object({ ...scopeMember, ...pageMembers }) },
  listReply(RegistryRow),
)

export const DryRunRoute = describe(
  {
    operationId: 'planModuleInstall',
    errors: ['NOT_FOUND'],
    summary: 'What an installation would do',
    description: 'Runs no SQL and writes nothing but an audit event. An empty body takes the defaults.',
    tag,
  },
  { params, body: InstallBody },
  dryRun(Plan),
)

export const RunRoute = describe(
  {
    operationId: 'installModule',
    errors: ['INSTALL_LOCKED', 'MODULE_DEPENDENCY_ERROR', 'MODULE_DRIFT', 'MODULE_RUN_FAILED', 'NOT_FOUND'],
    summary: 'Install a module',
    description:
      'One transaction under a lock: it is installed as a whole or not at all. Running it twice is safe. Installing ' +
      'switches nothing on.',
    tag,
  },
  { params, body: InstallBody },
  reply(RunResult),
)

export const UpdateDryRunRoute = describe(
  {
    operationId: 'planModuleUpdate',
    errors: ['NOT_FOUND', 'module_not_installed'],
    summary: 'What an update would do',
    tag,
  },
  { params, body: UpdateBody },
  dryRun(Plan),
)

export const UpdateRoute = describe(
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
    summary: 'Bring what is installed of a module up to this release',
    tag,
  },
  { params, body: UpdateBody },
  reply(RunResult),
)
