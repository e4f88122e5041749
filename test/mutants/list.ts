import { globSync } from 'node:fs'
import { join } from 'node:path'

/** A security rule, a source change that removes it, and the test files that must then fail. */
export interface Mutant {
  rule: string
  file: string
  /** The code to change (scripts/mutants/locate.ts). */
  from: string
  to: string
  /** A test file, or several files each of which must fail. */
  test: string | readonly string[]
}

/** The mutants of every other file in this folder, each of which exports `mutants`. */
export const mutants: readonly Mutant[] = (await Promise.all(listFiles().map(readMutants))).flat()

export const testsOf = ({ test }: Mutant): readonly string[] => [test].flat()

/** Relative to this folder. */
export function listFiles(): string[] {
  return globSync('**/*.ts', { cwd: import.meta.dirname, exclude: ['list.ts', '**/*.test.ts'] }).sort()
}

async function readMutants(file: string): Promise<readonly Mutant[]> {
  const contents: { mutants?: Mutant[] } = await import(join(import.meta.dirname, file))
  if (!contents.mutants?.length) throw new Error(`test/mutants/${file} exports no mutants`)
  return contents.mutants
}
