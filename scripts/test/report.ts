import { availableParallelism } from 'node:os'
import { basename } from 'node:path'
import { cpuSeconds } from './cpu-seconds.ts'
import { checksPart } from './durations.ts'
import type { Part } from './parts.ts'
import { inWords, type Progress } from './progress.ts'
import type { QuickPlan } from './quick.ts'
import type { Arguments } from './read-arguments.ts'
import type { Outcome } from './run-file.ts'

export function plan({ total, expected }: Progress, { all, fifth, seed }: Arguments): void {
  console.log(
    `${total} ${total === 1 ? 'file' : 'files'}; about ${inWords(expected)} if the machine has nothing else to do`,
  )
  if (total > 1) console.log(`order of the files: --seed ${seed}`)
  if (all && fifth !== 'all')
    console.log(`a fifth of the files that run on both databases run on the embedded one, too: --fifth ${fifth}`)
  console.log()
}

/** The files and parts that only `npm run test:all` runs. */
export function leftOut({ slow, left }: QuickPlan): void {
  if (slow.length + left.length === 0) return
  const names = slow.map((file) => basename(file, '.test.ts')).join(', ')
  if (slow.length > 0) console.log(`left out: ${slow.length} slow ${slow.length === 1 ? 'file' : 'files'} (${names})`)
  if (left.length > 0) console.log(`left out: ${left.join(', ')}`)
  console.log('`npm run test:all` runs them as well')
}

export function interrupted(progress: Progress): void {
  console.log(`\ninterrupted: ${progress.done()} of ${progress.total} files have run`)
}

export function missing({ title }: Part, reason: string): void {
  console.log(`skipped: ${title} (${reason})`)
}

/** The failure of a file while others were running. A second run decides whether it counts. */
export function doubt(outcome: Outcome): void {
  console.log(`${lineOf(outcome, 'again')}\n\n${storyOf(outcome)}\n\n${commandOf(outcome)}\n`)
}

export function secondRun(files: number): void {
  console.log(`\nonce more alone: ${files} ${files === 1 ? 'file' : 'files'} that failed beside others`)
}

/** Prints one line for a file that passed. For a file that failed, prints its failures and how to repeat them. */
export function file(outcome: Outcome, progress: Progress): void {
  console.log(lineOf(outcome, outcome.failed ? 'FAIL ' : 'ok   ') + progressNote(progress))
  if (outcome.failed) console.log(`\n${storyOf(outcome)}\n\n${commandOf(outcome)}\n`)
}

/** A progress note after every tenth file. */
function progressNote(progress: Progress): string {
  const done = progress.done()
  if (done % 10 > 0 || done === progress.total) return ''
  return `  [${done} of ${progress.total}, about ${inWords(progress.left())} left]`
}

function lineOf({ part, file, passed, failed, skipped, reasons, seconds }: Outcome, verdict: string): string {
  const counts = [
    passed && `${passed} passed`,
    failed && `${failed} failed`,
    skipped && `${skipped} skipped${reasons.length > 0 ? ` (${reasons.join('; ')})` : ''}`,
  ]
  return `${verdict} ${seconds.toFixed(1).padStart(5)} s  ${part.padEnd(8)}  ${file}: ${counts.filter(Boolean).join(', ')}`
}

function storyOf({ file, problem, output }: Outcome): string {
  return [problem && `${file} ${problem}`, output.trim()].filter(Boolean).join('\n\n')
}

const commandOf = ({ part, file }: Outcome): string =>
  part === checksPart ? `repeat: npm run ${file}` : `repeat: npm test -- --only ${part} ${file}`

/** The time and memory that the whole run took. */
export function cost(seconds: number, memory: number | undefined): void {
  const parts = [
    `${Math.round(seconds)} s`,
    `${Math.round(cpuSeconds())} s of CPU time on ${availableParallelism()} cores`,
  ]
  if (memory !== undefined) parts.push(`at most ${(memory / 1e9).toFixed(1)} GB of memory`)
  console.log(`\n${parts.join(', ')}`)
}

/** The last line contains the totals across all parts. */
export function end(outcomes: Outcome[], unmet: string[]): void {
  console.log()
  for (const { file, part, failed, failedBesideOthers } of outcomes) {
    if (failed > 0) console.log(`failed: ${file} (${part})`)
    else if (failedBesideOthers) console.log(`flaky: ${file} (${part}) failed beside others and passed alone`)
  }
  for (const need of unmet) console.log(`failed: ${need} is required here and was not found`)
  const { passed, failed, skipped } = totalOf(outcomes)
  const flaky = flakyOf(outcomes)
  if (flaky.length > 0)
    console.log(
      `${flaky.length} flaky: ${failsFor(flaky) ? 'with CI=true that is a failure' : 'find what they wait for'}`,
    )
  if (passed + failed === 0) console.log('failed: nothing was run')
  console.log(`${passed} passed, ${failed + unmet.length} failed, ${skipped} skipped`)
}

const flakyOf = (outcomes: Outcome[]): Outcome[] =>
  outcomes.filter(({ failed, failedBesideOthers }) => failed === 0 && failedBesideOthers)

/** A busy machine can make one or two files fail. More failures are likely to have a common cause. */
const maxFlakyFiles = 2

/**
 * On a build machine (CI=true), more than `maxFlakyFiles` flaky files are a failure. So is a single flaky race test
 * because a race condition that occurs once is a bug.
 */
const failsFor = (flaky: Outcome[]): boolean =>
  process.env.CI === 'true' && (flaky.length > maxFlakyFiles || flaky.some(({ part }) => part === 'races'))

export function totalOf(outcomes: Outcome[]): { passed: number; failed: number; skipped: number } {
  const sum = (key: 'passed' | 'failed' | 'skipped') => outcomes.reduce((total, outcome) => total + outcome[key], 0)
  const flaky = flakyOf(outcomes)
  return {
    passed: sum('passed'),
    failed: sum('failed') + (failsFor(flaky) ? flaky.length : 0),
    skipped: sum('skipped'),
  }
}
