import { basename } from 'node:path'
import type { Part } from './parts.ts'
import { inWords, type Progress } from './progress.ts'
import type { Outcome } from './run-file.ts'

export function reportPlan({ total, expected }: Progress): void {
  console.log(
    `${total} ${total === 1 ? 'file' : 'files'}; about ${inWords(expected)} if the machine has nothing else to do`,
  )
}

/** The files and parts that only `npm run test:all` runs. */
export function reportLeftOut(slow: string[], parts: string[]): void {
  if (slow.length + parts.length === 0) return
  const names = slow.map((file) => basename(file, '.test.ts')).join(', ')
  if (slow.length > 0) console.log(`left out: ${slow.length} slow ${slow.length === 1 ? 'file' : 'files'} (${names})`)
  if (parts.length > 0) console.log(`left out: ${parts.join(', ')}`)
  console.log('`npm run test:all` runs them as well')
}

export function reportInterrupted(progress: Progress): void {
  console.log(`\ninterrupted: ${progress.done()} of ${progress.total} files have run`)
}

export function reportPart({ title, files }: Part): void {
  console.log(`\n${title}: ${files.length} ${files.length === 1 ? 'file' : 'files'}`)
}

export function reportMissing({ title }: Part, reason: string): void {
  console.log(`\nskipped: ${title} (${reason})`)
}

export function reportSecondRun(files: number): void {
  console.log(`\nonce more alone: ${files} ${files === 1 ? 'file' : 'files'} that failed beside others`)
}

/** Prints one line for a file that passed. For a file that failed, prints its output without the passing tests. */
export function reportFile(outcome: Outcome, progress: Progress): void {
  console.log(lineOf(outcome, outcome.failed ? 'FAIL ' : 'ok   ') + progressNote(progress))
  if (outcome.failed) console.log(`\n${storyOf(outcome)}\n`)
}

/** Prints one line for a file that failed alongside other files. A second run decides whether it counts as failed. */
export function reportDoubt(outcome: Outcome): void {
  console.log(lineOf(outcome, 'again'))
}

/** Prints the output of a flaky file's failed run. The output is quoted because the file passed in the second run. */
export function reportFlakyStory(outcome: Outcome): void {
  console.log(`\n${outcome.file} said when it failed beside others:\n${storyOf(outcome).replace(/^/gm, '  | ')}\n`)
}

/** A progress note after every tenth file. */
function progressNote(progress: Progress): string {
  const done = progress.done()
  if (done % 10 > 0 || done === progress.total) return ''
  return `  [${done} of ${progress.total}, about ${inWords(progress.left())} left]`
}

function lineOf({ file, passed, failed, skipped, reasons, seconds }: Outcome, verdict: string): string {
  const counts = [
    passed && `${passed} passed`,
    failed && `${failed} failed`,
    skipped && `${skipped} skipped${reasons.length > 0 ? ` (${reasons.join('; ')})` : ''}`,
  ]
  return `${verdict} ${seconds.toFixed(1).padStart(5)} s  ${file}: ${counts.filter(Boolean).join(', ')}`
}

function storyOf({ file, problem, output }: Outcome): string {
  const telling = output.split('\n').filter((line) => !/^ *✔ |^ℹ [a-z_]+ [\d.]+$/.test(line))
  return [problem && `${file} ${problem}`, telling.join('\n').trim()].filter(Boolean).join('\n\n')
}

/** The last line contains the totals across all parts. */
export function reportEnd(outcomes: Outcome[], unmet: string[]): void {
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
