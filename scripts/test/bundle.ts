import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Part, PartName } from './parts.ts'

const { isCurrent } = createRequire(import.meta.url)('../../bin/is-current.js') as { isCurrent(): boolean }

/** Most of these files start the service as a process. */
const startServices = new Set<PartName>(['nodes', 'process', 'browser'])

/**
 * If the bundle is older than the sources, services start from the sources, which doubles the CPU time of these parts.
 * Builds the bundle if one of the parts runs.
 */
export function renewBundle(parts: readonly Part[]): void {
  if (isCurrent() || !parts.some(({ name }) => startServices.has(name))) return
  console.log('building the bundle, which is older than the sources')
  spawnSync(process.execPath, [join(import.meta.dirname, '../build.ts')], { stdio: 'inherit' })
}
