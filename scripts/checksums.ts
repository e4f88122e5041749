import { readdirSync, writeFileSync } from 'node:fs'
import { readModuleFile } from '../src/hub/load-modules.ts'

// At each start, the service checks each module's files against these checksums. The module manifests import them so
// that they are part of the bundle.
const modules = new URL('../src/modules/', import.meta.url)
for (const entry of readdirSync(modules, { withFileTypes: true })) {
  if (!entry.isDirectory()) continue
  const directory = new URL(`${entry.name}/`, modules)
  const names = readdirSync(directory).filter((name) => name === 'module.json' || name.endsWith('.sql'))
  const checksums = Object.fromEntries(names.sort().map((name) => [name, readModuleFile(directory, name).checksum]))
  writeFileSync(new URL('checksums.json', directory), `${JSON.stringify(checksums, null, 2)}\n`)
}
process.stdout.write('The checksums of all modules are up to date\n')
