import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { App } from '../../src/app.ts'
import type { ModuleDefinition } from '../../src/hub/define-module.ts'
import { getModule } from '../../src/hub/describe-modules.ts'
import { runInstall } from '../../src/hub/install.ts'
import { readModuleFile } from '../../src/hub/load-modules.ts'
import type { InstallRequest } from '../../src/hub/plan.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const defaults: InstallRequest = {
  target: 'core',
  components: [],
  runtime_scope: 'service-core',
  verify_checksum: true,
  repair_missing: false,
}

/** Installs a module in a running application through the API. */
export const install = ({ ctx, hub }: Pick<App, 'ctx' | 'hub'>, id: string, request: Partial<InstallRequest> = {}) =>
  runInstall(ctx, hub, { module: getModule(hub, id), request: { ...defaults, ...request } })

interface Draft {
  id: string
  depends_on?: string[]
  components: Record<string, DraftComponent>
}

interface DraftComponent {
  version?: string
  depends_on?: string[]
  /** SQL that creates the component. */
  sql?: string
  /** SQL that upgrades an older version to this version. */
  upgrades?: Record<string, string>
  /** Columns and their types, by table. */
  objects?: Record<string, Record<string, string>>
}

/** Creates a test module in its own directory, structured like a module in `src/modules/<id>`. */
export function makeModule({ id, depends_on = [], components }: Draft, more: Partial<ModuleDefinition> = {}) {
  const directory = join(temporaryDirectory('module'), id)
  mkdirSync(directory)
  const write = (name: string, text: string) => writeFileSync(join(directory, name), text)
  const listed = Object.entries(components).map(([name, component]) => componentManifest(name, component, write))
  write('module.json', JSON.stringify({ ...about(id), depends_on, components: listed }))
  const url = pathToFileURL(`${directory}/`)
  const checksums = Object.fromEntries(readdirSync(url).map((name) => [name, readModuleFile(url, name).checksum]))
  return {
    directory: url,
    checksums,
    switches: [],
    routes: () => () => {},
    ...more,
  } satisfies ModuleDefinition
}

const about = (id: string) => ({
  module_id: id,
  name: id,
  description: `the module ${id}`,
  module_version: '1.0.0',
  runtime_scopes: ['service-core'],
})

function componentManifest(
  id: string,
  { version = '1.0.0', depends_on = [], sql, upgrades = {}, objects = {} }: DraftComponent,
  write: (name: string, text: string) => void,
) {
  if (sql !== undefined) write(`${id}.sql`, sql)
  for (const [from, text] of Object.entries(upgrades)) write(`${id}-from-${from}.sql`, text)
  return {
    component_id: id,
    component_type: id === 'core' ? 'core' : 'extension',
    description: `the component ${id}`,
    version,
    depends_on,
    install: sql === undefined ? [] : [`${id}.sql`],
    upgrades: Object.keys(upgrades).map((from) => ({ from, to: version, files: [`${id}-from-${from}.sql`] })),
    objects: Object.entries(objects).map(([table, columns]) => ({ table, columns })),
  }
}

/** A module `shop` with extensions, and a module that depends on it. */
export const shop = () =>
  makeModule({
    id: 'shop',
    components: {
      core: {
        sql: 'CREATE TABLE IF NOT EXISTS goods (id uuid PRIMARY KEY, name text)',
        objects: { goods: { id: 'uuid', name: 'text' } },
      },
      'ext-prices': {
        depends_on: ['core'],
        version: '1.1.0',
        sql: 'ALTER TABLE goods ADD COLUMN IF NOT EXISTS price integer',
        upgrades: { '1.0.0': "UPDATE goods SET name = name || ' (priced)'" },
        objects: { goods: { price: 'integer' } },
      },
      'ext-discounts': {
        depends_on: ['core', 'ext-prices'],
        sql: 'ALTER TABLE goods ADD COLUMN IF NOT EXISTS discount integer',
        objects: { goods: { discount: 'integer' } },
      },
      'ext-nothing': { depends_on: ['core'] },
    },
  })

export const delivery = () =>
  makeModule({
    id: 'delivery',
    depends_on: ['shop'],
    components: {
      core: { sql: 'CREATE TABLE IF NOT EXISTS parcels (id uuid)', objects: { parcels: { id: 'uuid' } } },
    },
  })

/** A module whose second SQL statement fails. */
export const broken = () =>
  makeModule({
    id: 'broken',
    components: {
      core: { sql: 'CREATE TABLE fragments (id uuid)', objects: { fragments: { id: 'uuid' } } },
      'ext-bad': {
        depends_on: ['core'],
        sql: 'CREATE TABLE shards (id uuid); ALTER TABLE nowhere ADD COLUMN secret_name text',
        objects: { shards: { id: 'uuid' } },
      },
    },
  })
