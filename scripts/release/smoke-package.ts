import { execFileSync } from 'node:child_process'
import type { Manifest } from './packages.ts'

/** Imports every entry point of an installed package with this Node.js. */
export function importExports({ name, exports = {} }: Manifest, directory: string, node: string): void {
  const entries = Object.keys(exports).map((entry) => name + entry.slice(1))
  const program = `for (const entry of ${JSON.stringify(entries)}) {
    const names = Object.keys(await import(entry))
    if (names.length === 0) throw new Error(entry + ' exports nothing')
  }`
  execFileSync(node, ['--input-type=module', '--eval', program], {
    cwd: directory,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}
