import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mutant } from '../../test/mutants/list.ts'
import type { Counterparts } from '../test/counterparts.ts'
import type { Part } from '../test/parts.ts'
import { type Outcome, runFile } from '../test/run-file.ts'
import { locate } from './locate.ts'

/**
 * `red`: a test failed, as expected. `survived`: all tests passed. `stale`: the code to change was not found. `broken`:
 * the test file ended without a result. `unwatched`: without the mutant, a test fails or none passes.
 */
export type Verdict = 'red' | 'survived' | 'stale' | 'broken' | 'unwatched'

export interface Judgement {
  verdict: Verdict
  /** The reason for `broken` or `unwatched`. */
  reason?: string
}

const limit = 180_000

/** Runs a mutant's tests in a copy of the tree, after running them once without the mutant. */
export function createJudge(parts: readonly Part[], counterparts: Counterparts) {
  const baselines = new Map<string, Promise<Outcome>>()
  const run = (tree: string, file: string): Promise<Outcome> => {
    const part = parts.find(({ files }) => files.includes(file))
    if (!part) throw new Error(`${file} belongs to no part of the suite`)
    return runFile({ part, file, env: counterparts.envFor(part), limit, cwd: tree })
  }
  const baseline = (tree: string, file: string): Promise<Outcome> => {
    const known = baselines.get(file) ?? run(tree, file)
    baselines.set(file, known)
    return known
  }
  return async (tree: string, { file, from, to, test }: Mutant): Promise<Judgement> => {
    const path = join(tree, file)
    const source = readFileSync(path, 'utf8')
    const place = locate(source, from, to)
    if (!place) return { verdict: 'stale' }
    const before = await baseline(tree, test)
    if (before.failed > 0 || before.passed === 0) return { verdict: 'unwatched', reason: resultOf(before) }
    writeFileSync(path, source.slice(0, place.start) + place.replacement + source.slice(place.end))
    const outcome = await run(tree, test)
    writeFileSync(path, source)
    if (outcome.problem) return { verdict: 'broken', reason: resultOf(outcome) }
    return { verdict: outcome.failed > 0 ? 'red' : 'survived' }
  }
}

const resultOf = ({ problem, passed, failed, skipped }: Outcome): string =>
  problem ?? `${passed} passed, ${failed} failed, ${skipped} skipped`
