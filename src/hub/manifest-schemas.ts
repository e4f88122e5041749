import Type, { type Static } from 'typebox'
import { Errors } from 'typebox/value'

const Slug = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$' })
const SqlName = Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}$' })
const Version = Type.String({ pattern: '^(0|[1-9]\\d{0,5})\\.(0|[1-9]\\d{0,5})\\.(0|[1-9]\\d{0,5})$' })
/** The pattern does not allow directories. */
const FileName = Type.String({ pattern: '^[a-z0-9][a-z0-9._-]{0,80}\\.sql$' })
const Text = Type.String({ minLength: 1, maxLength: 500 })

const list = <Item extends Parameters<typeof Type.Array>[0]>(item: Item, max = 64) =>
  Type.Array(item, { maxItems: max })
const exactly = <Members extends Parameters<typeof Type.Object>[0]>(members: Members) =>
  Type.Object(members, { additionalProperties: false })

const ComponentManifest = exactly({
  component_id: Slug,
  component_type: Type.Union([Type.Literal('core'), Type.Literal('extension')]),
  description: Text,
  version: Version,
  depends_on: list(Slug),
  install: list(FileName),
  upgrades: list(exactly({ from: Version, to: Version, files: list(FileName) })),
  /** Tables with their columns. Column types use the names that PostgreSQL reports. */
  objects: list(exactly({ table: SqlName, columns: Type.Record(SqlName, Text) })),
})

export const ModuleManifest = exactly({
  module_id: Slug,
  name: Text,
  description: Text,
  module_version: Version,
  depends_on: list(Slug),
  runtime_scopes: list(Slug),
  components: Type.Array(ComponentManifest, { minItems: 1, maxItems: 64 }),
})

export type ModuleManifest = Static<typeof ModuleManifest>
export type ComponentManifest = Static<typeof ComponentManifest>

export const manifestProblems = (value: unknown): string[] =>
  Errors(ModuleManifest, value)
    .slice(0, 20)
    .map(({ instancePath, message }) => `${instancePath.slice(1).replaceAll('/', '.') || 'module.json'} ${message}`)
