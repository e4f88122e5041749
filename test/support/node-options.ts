import { join } from 'node:path'

/**
 * The Node.js options for processes that run for seconds. In that time, optimizing the embedded database's WebAssembly
 * code takes more CPU time than it saves, and so do validating the functions of it that are never called, and starting
 * with a small heap, which is then collected and enlarged again and again.
 */
export const forShortRuns: readonly string[] = ['--liftoff-only', '--wasm-lazy-validation', '--min-semi-space-size=16']

/** The same for services. */
export const forShortServices: readonly string[] = [
  ...forShortRuns,
  `--require=${join(import.meta.dirname, 'keep-start-memory.cjs')}`,
]
