import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { objectsOf } from '../db/sql-objects.ts'
import { sha256 } from '../lib/hash.ts'
import { problemsOfManifests } from './check-manifests.ts'
import type { LoadedComponent, LoadedModule, ModuleDefinition } from './define-module.ts'
import { type ComponentManifest, type ModuleManifest, manifestProblems } from './manifest-schemas.ts'

export function loadModules(definitions: readonly ModuleDefinition[]): readonly LoadedModule[] {
  const modules = definitions.map(loadModule)
  const problems = problemsOfManifests(modules.map(({ manifest }) => manifest))
  if (problems.length > 0) throw new Error(`The manifests of the modules are inconsistent:\n${listed(problems)}`)
  return modules
}

function loadModule(definition: ModuleDefinition): LoadedModule {
  const { directory, checksums, personalData } = definition
  const folder = basename(directory.pathname)
  // Without it, data of someone else would stay in an account, so a module must not leave it out.
  if (personalData && personalData.unproven !== 'kept' && typeof personalData.unproven !== 'function')
    throw new Error(`${folder}: personalData.unproven must be a function or 'kept'`)
  const read = (name: string) => readShipped(directory, name, checksums[name])
  const manifest: unknown = JSON.parse(read('module.json'))
  const problems = manifestProblems(manifest)
  if (problems.length > 0) throw new Error(`${folder}/module.json is not a valid manifest:\n${listed(problems)}`)
  const checked = manifest as ModuleManifest
  if (checked.module_id !== folder)
    throw new Error(`${folder}/module.json belongs to the module "${checked.module_id}"`)
  const components = checked.components.map((component) => loadComponent(component, read))
  return { ...definition, id: folder, manifest: checked, components }
}

function loadComponent(component: ComponentManifest, read: (name: string) => string): LoadedComponent {
  const joined = (names: readonly string[]) => names.map(read).join('\n').trim()
  const installSql = joined(component.install)
  return {
    ...component,
    installSql,
    furtherObjects: objectsOf(installSql),
    checksum: sha256(installSql),
    upgradeSql: new Map(component.upgrades.map(({ from, to, files }) => [from, { to, sql: joined(files) }])),
  }
}

function readShipped(directory: URL, name: string, checksum: string | undefined): string {
  const { text, checksum: found } = readModuleFile(directory, name)
  if (found === checksum) return text
  const file = `${basename(directory.pathname)}/${name}`
  throw new Error(
    `${file} differs from the released file: restore it, or run "npm run checksums" if you changed it on purpose`,
  )
}

/** Line endings and surrounding whitespace are ignored so that the checksum is the same in all checkouts. */
export function readModuleFile(directory: URL, name: string): { text: string; checksum: string } {
  const text = readFileSync(new URL(name, directory), 'utf8').replaceAll('\r\n', '\n').trim()
  return { text, checksum: sha256(text) }
}

const listed = (problems: string[]): string => problems.map((problem) => `  ${problem}`).join('\n')
