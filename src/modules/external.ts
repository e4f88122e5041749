import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Config } from '../config/load.ts'
import { declareModules } from '../hub/declare-modules.ts'
import type { ModuleDefinition } from '../hub/define-module.ts'
import { readModuleFile } from '../hub/load-modules.ts'
import { shippedModules } from './index.ts'
import { type Toolkit, toolkit } from './toolkit.ts'

/** The `createModule` function in an external module's manifest. External modules have no stored checksums. */
export type ExternalModule = (toolkit: Toolkit) => Omit<ModuleDefinition, 'checksums'>

const loaded = new Map<string, ModuleDefinition>()

export const allModules = async ({
  MODULE_PATHS,
}: Pick<Config, 'MODULE_PATHS'>): Promise<readonly ModuleDefinition[]> => [
  ...shippedModules,
  ...(await externalModules(MODULE_PATHS)),
]

/** If a module cannot be loaded, throws an error that contains its path and the reason. */
export async function externalModules(paths: readonly string[]): Promise<readonly ModuleDefinition[]> {
  const definitions: ModuleDefinition[] = []
  for (const path of paths) {
    const folder = resolve(path)
    const known = loaded.get(folder)
    const definition = known ?? (await load(path, folder))
    loaded.set(folder, definition)
    definitions.push(definition)
  }
  return definitions
}

async function load(path: string, folder: string): Promise<ModuleDefinition> {
  const reject = (reason: string, cause?: unknown) =>
    new Error(`MODULE_PATHS contains ${path}, which cannot be loaded: ${reason}`, { cause })
  const file = ['manifest.ts', 'manifest.js'].map((name) => join(folder, name)).find((one) => existsSync(one))
  if (!file)
    throw reject(existsSync(folder) ? 'it contains neither manifest.ts nor manifest.js' : 'the folder does not exist')
  try {
    const { createModule } = (await import(pathToFileURL(file).href)) as { createModule?: ExternalModule }
    if (typeof createModule !== 'function') throw new Error('its manifest does not export a function createModule')
    const definition = withChecksums(createModule(toolkit))
    declareModules([definition])
    return definition
  } catch (error) {
    throw reject(error instanceof Error ? error.message : String(error), error)
  }
}

/** Operators are responsible for these files, so the service trusts the content it finds at startup. */
function withChecksums(definition: Omit<ModuleDefinition, 'checksums'>): ModuleDefinition {
  const { directory } = definition
  const names = readdirSync(fileURLToPath(directory)).filter((name) => name === 'module.json' || name.endsWith('.sql'))
  const checksums = Object.fromEntries(names.map((name) => [name, readModuleFile(directory, name).checksum]))
  return { ...definition, checksums }
}
