import { readdirSync, writeFileSync } from 'node:fs'
import { readModuleFile } from '../src/hub/load-modules.ts'

// What a module ships is compared with these at every start. They are code, so that the bundle carries them.
const modules = new URL('../src/modules/', import.meta.url)
for (const entry of readdirSync(modules, { withFileTypes: true })) {
  if (!entry.isDirectory()) continue
  const directory = new URL(`${entry.name}/`, modules)
  const names = readdirSync(directory).filter((name) => name === 'module.json' || name.endsWith('.sql'))
  const lines = names.sort().map((name) => `  '${name}': '${readModuleFile(directory, name).checksum}',\n`)
  const name = entry.name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())
  const text = `/** Written by \`npm run checksums\`. */\nexport const ${name}Checksums = {\n${lines.join('')}}\n`
  writeFileSync(new URL('checksums.ts', directory), text)
}
process.stdout.write('The checksums of all modules are up to date\n')
