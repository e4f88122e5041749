import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Mutant, testsOf } from '../../test/mutants/list.ts'
import type { Counterparts } from '../test/counterparts.ts'
import type { Part } from '../test/parts.ts'
import { type Outcome, runFile } from '../test/run-file.ts'
import { locate } from './locate.ts'

/**
 * `red`: a test failed, as expected. `survived`: all tests passed. `stale`: the code to change was not found. `broken`:
 * the test file ended without a result. `unwatched`: without the mutant, a test fails or none passes.
 */
export type Verdict = 'red' | 'survived' | 'stale' | 'broken' | 'unwatched'

/** The verdict of one of a mutant's test files. */
export interface Judgement {
  test: string
  verdict: Verdict
  /** The reason for `broken` or `unwatched`. */
  reason?: string
}

type Judge = (tree: string, mutant: Mutant) => Promise<Judgement[]>

/** Runs a mutant's tests in a copy of the tree, after running them once without the mutant. */
export function createJudge(parts: readonly Part[], counterparts: Counterparts): Judge {
  const usable = cheapestFirst(parts.filter(({ needs }) => !needs.some((need) => counterparts.missing.has(need))))
  const baselines = new Map<string, Promise<Outcome>>()

  async function judgeFile(tree: string, test: string, change: SourceChange): Promise<Judgement> {
    let judgement: Judgement = { test, verdict: 'unwatched', reason: 'no part of the tests can run it' }
    for (const part of usable.filter(({ files }) => files.includes(test))) {
      const before = await baseline(tree, part, test)
      const judged = isPassed(before)
        ? verdictOf(await change.applied(() => runTests(tree, part, test, counterparts)))
        : ({ verdict: 'unwatched', reason: resultOf(before) } as const)
      // A test that passes with the mutant counts as such even if it cannot run in another part.
      if (judgement.verdict !== 'survived' || judged.verdict !== 'unwatched') judgement = { test, ...judged }
      if (judged.verdict === 'red' || judged.verdict === 'broken') break
    }
    return judgement
  }

  function baseline(tree: string, part: Part, test: string): Promise<Outcome> {
    const key = `${part.name} ${test}`
    const known = baselines.get(key) ?? runTests(tree, part, test, counterparts)
    baselines.set(key, known)
    return known
  }

  return async (tree, mutant) => {
    const change = findChange(tree, mutant)
    const judgements: Judgement[] = []
    for (const test of testsOf(mutant))
      judgements.push(change ? await judgeFile(tree, test, change) : { test, verdict: 'stale' })
    return judgements
  }
}

/**
 * A copy of a migrated database on a server starts in less time than the embedded database. A mutant that survives in
 * one part is judged in the next one, too.
 */
const cheapestFirst = (parts: readonly Part[]): Part[] =>
  parts.toSorted((one, other) => Number(other.setup === 'postgres') - Number(one.setup === 'postgres'))

const limit = 180_000
const stopAtFailure = new URL('./stop-at-failure.ts', import.meta.url).href

/** Runs a test file in a new process, up to its first failure. */
function runTests(tree: string, part: Part, file: string, counterparts: Counterparts): Promise<Outcome> {
  const env = {
    ...counterparts.envFor(part),
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${stopAtFailure}`,
    // All copies share this cache: its paths are relative, and `build` is the same directory in every copy.
    NODE_COMPILE_CACHE: join(tree, 'build/test-cache'),
    NODE_COMPILE_CACHE_PORTABLE: '1',
  }
  return runFile({ part, file, env, limit, cwd: tree })
}

interface SourceChange {
  /** Runs `work` while the source is changed. */
  applied<Result>(work: () => Promise<Result>): Promise<Result>
}

function findChange(tree: string, { file, from, to }: Mutant): SourceChange | undefined {
  const path = join(tree, file)
  const source = readFileSync(path, 'utf8')
  const place = locate(source, from, to)
  if (!place) return undefined
  return {
    async applied(work) {
      writeFileSync(path, source.slice(0, place.start) + place.replacement + source.slice(place.end))
      try {
        return await work()
      } finally {
        writeFileSync(path, source)
      }
    },
  }
}

const isPassed = ({ passed, failed }: Outcome): boolean => failed === 0 && passed > 0

function verdictOf(outcome: Outcome): Pick<Judgement, 'verdict' | 'reason'> {
  if (outcome.tests.length === 0) return { verdict: 'broken', reason: resultOf(outcome) }
  return { verdict: outcome.failed > 0 ? 'red' : 'survived' }
}

const resultOf = ({ problem, passed, failed, skipped }: Outcome): string =>
  problem ?? `${passed} passed, ${failed} failed, ${skipped} skipped`
