import { globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { isAbsolute, join } from 'node:path'
import { rolldown } from 'rolldown'
import type { Manifest } from './packages.ts'

/** Compares the packages that the bundle in the directory imports with those that npm installs with the service. */
export async function bundleProblems(directory: string, manifest: Manifest): Promise<string[]> {
  const { dependencies, optionalDependencies } = manifest
  const declared = Object.keys({ ...dependencies, ...optionalDependencies })
  const imported = await importedPackages(directory)
  return [
    ...imported
      .filter((name) => !declared.includes(name))
      .map((name) => `the bundle imports ${name}, which package.json does not list`),
    ...declared
      .filter((name) => !imported.includes(name))
      .map((name) => `package.json lists ${name}, which the bundle does not import: list it in bundled/package.json`),
  ]
}

// Libraries load these packages only if an application has installed them.
const optionalPeers = ['pg-native', '@node-rs/xxhash']

// The bundler does not report these calls as imports. The argument of `createRequire` can contain a call.
const requireCall = /\b(?:__require|createRequire\([^()]*(?:\([^()]*\))?\))\(`([^`]+)`\)/g

async function importedPackages(directory: string): Promise<string[]> {
  const files = globSync('**/*.js', { cwd: directory }).map((file) => join(directory, file))
  const isPackage = (id: string) => !id.startsWith('.') && !isAbsolute(id) && !isBuiltin(id)
  const built = await rolldown({ input: files, platform: 'node', external: (id) => isPackage(id) || isBuiltin(id) })
  const { output } = await built.generate({ format: 'esm' })
  await built.close()
  const own = output.map(({ fileName }) => fileName)
  const imported = output.flatMap((one) => (one.type === 'chunk' ? [...one.imports, ...one.dynamicImports] : []))
  const required = files.flatMap((file) =>
    Array.from(readFileSync(file, 'utf8').matchAll(requireCall), ([, id = '']) => id),
  )
  const ids = [...imported, ...required].filter((id) => isPackage(id) && !own.includes(id))
  return [...new Set(ids.map(packageOf))].filter((name) => !optionalPeers.includes(name)).sort()
}

const packageOf = (id: string): string => id.split('/', id.startsWith('@') ? 2 : 1).join('/')
