import Type, { type TSchema } from 'typebox'
import { describe, NullableString, namedSchema } from '../http/responses/schemas.ts'
import { Action, around, Meta, params, reply, scopeMember, tag } from './schemas.ts'

const Ids = Type.Array(Type.String(), { maxItems: 64 })
const Nothing = Type.Object({}, { examples: [{}] })
const withSql = {
  with_sql: Type.Optional(Type.Boolean({ description: 'adds `plan` to the response: the steps with their SQL' })),
}

const installMembers = {
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
  repair_missing: Type.Optional(
    Type.Boolean({
      description:
        'repairs installed components that differ from the expected version; default: false, which rejects the ' +
        'installation',
    }),
  ),
  skip_existing: Type.Optional(Type.Boolean({ description: 'has no effect: existing objects are always skipped' })),
  verbose: Type.Optional(Type.Boolean({ description: 'adds `plan` to the response' })),
}
const installExample = { examples: [{ target: 'core' }] }
const InstallBody = namedSchema('InstallBody', Type.Object(installMembers, installExample))
const InstallPlanBody = namedSchema('InstallPlanBody', Type.Object({ ...installMembers, ...withSql }, installExample))

const updateMembers = {
  components: Type.Optional(
    Type.Array(Type.String(), { maxItems: 64, description: 'default: every installed extension' }),
  ),
  ...scopeMember,
  verify_checksum: Type.Optional(Type.Boolean({ description: 'default: true' })),
  verbose: Type.Optional(Type.Boolean({ description: 'adds `plan` to the response' })),
}
const UpdateBody = namedSchema('UpdateModuleBody', Type.Object(updateMembers, { examples: [{}] }))
const UpdatePlanBody = namedSchema('UpdatePlanBody', Type.Object({ ...updateMembers, ...withSql }, { examples: [{}] }))

/** Dry-run responses have no `success` member. Published clients recognize a dry run by the absence of this member. */
const dryRun = <Data extends TSchema>(data: Data) => Type.Object({ data, ...around, meta: Meta })

const stepMembers = {
  component_id: Type.String(),
  component_type: Type.String(),
  action: Action,
  from_version: NullableString,
  to_version: Type.String(),
  checksum: Type.String(),
}

const Plan = namedSchema(
  'InstallPlan',
  Type.Object({
    module_id: Type.String(),
    runtime_scope: Type.String(),
    dry_run: Type.Boolean(),
    resolved_order: Type.Array(Type.String()),
    plan: Type.Optional(Type.Array(Type.Object({ ...stepMembers, sql: Type.Array(Type.String()) }))),
  }),
)

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
    plan: Type.Optional(Type.Array(Type.Object(stepMembers))),
  }),
)

export const HubDryRunRoute = describe(
  {
    operationId: 'planHubInstall',
    summary: 'Plan the creation of the module hub tables',
    description: 'Runs no SQL and writes only an audit event.',
    tag,
  },
  { body: Nothing },
  dryRun(Plan),
)

export const HubRunRoute = describe(
  {
    operationId: 'installHub',
    errors: ['INSTALL_LOCKED', 'MODULE_RUN_FAILED'],
    summary: 'Create the module hub tables',
    description: 'Creates only the tables that do not exist, so the request can be repeated. Installs no module.',
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

export const ModuleDryRunRoute = describe(
  {
    operationId: 'planModuleInstall',
    errors: ['NOT_FOUND'],
    summary: 'Plan an installation',
    description: 'Runs no SQL and writes only an audit event. With an empty body, the defaults apply.',
    tag,
  },
  { params, body: InstallPlanBody },
  dryRun(Plan),
)

export const ModuleRunRoute = describe(
  {
    operationId: 'installModule',
    errors: ['INSTALL_LOCKED', 'MODULE_DEPENDENCY_ERROR', 'MODULE_DRIFT', 'MODULE_RUN_FAILED', 'NOT_FOUND'],
    summary: 'Install a module',
    description:
      'Runs in one transaction under a lock: if it fails, nothing is installed. The request can be repeated. ' +
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
    description:
      'Runs no SQL and writes only an audit event. With an empty body, the plan covers all installed extensions.',
    tag,
  },
  { params, body: UpdatePlanBody },
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
    description:
      'Runs in one transaction under a lock: if it fails, nothing is changed. Components that are not installed ' +
      'are rejected.',
    tag,
  },
  { params, body: UpdateBody },
  reply(RunResult),
)
