import { parseArgs } from 'node:util'
import { atOnce } from './test/at-once.ts'
import { openCounterparts } from './test/counterparts.ts'
import { type Durations, expectedSeconds, readDurations, recordDurations } from './test/durations.ts'
import { isPartName, measuresTime, type Part, partNames, planParts, planQuick } from './test/parts.ts'
import { createProgress } from './test/progress.ts'
import {
  reportDoubt,
  reportEnd,
  reportFile,
  reportFlakyStory,
  reportInterrupted,
  reportLeftOut,
  reportMissing,
  reportPart,
  reportPlan,
  reportSecondRun,
  totalOf,
} from './test/report.ts'
import { type Outcome, runFile, Stopped, stopRunning } from './test/run-file.ts'

const usage = `node scripts/test.ts [--all] [--record] [--only ${partNames.join('|')}]… [--limit seconds] [file or glob]…`

const selection = readArguments()
const durations: Durations = readDurations()
const isQuick = !selection.all && selection.only.length === 0 && selection.patterns.length === 0
const quick = isQuick ? planQuick(durations) : undefined
const parts = quick?.parts ?? planParts(selection.only, selection.patterns)
const progress = createProgress(parts, durations)
/** If files take this many times their recorded durations, the machine is considered slow. */
const slowPace = 1.5
const outcomes: Outcome[] = []
let isInterrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    isInterrupted = true
    stopRunning()
  })
}
process.exitCode = await runParts()

function readArguments() {
  const { values, positionals } = parseArgs({
    options: {
      all: { type: 'boolean', default: false },
      record: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      limit: { type: 'string', default: '300' },
    },
    allowPositionals: true,
  })
  const unknown = values.only.find((name) => !isPartName(name))
  const limit = Number(values.limit) * 1000
  if (unknown !== undefined || !(limit > 0)) {
    console.error(`usage: ${usage}`)
    process.exit(2)
  }
  if (values.record && (positionals.length > 0 || !(values.all || values.only.length > 0))) {
    console.error('--record records whole parts: use it with --all or --only, and without files')
    process.exit(2)
  }
  return { ...values, only: values.only.filter(isPartName), patterns: positionals, limit }
}

async function runParts(): Promise<number> {
  reportPlan(progress)
  const counterparts = await openCounterparts(new Set(parts.flatMap((part) => part.uses)))
  try {
    for (const part of parts) {
      const missing = part.needs.map((need) => counterparts.missing.get(need)).find((reason) => reason !== undefined)
      if (missing) reportMissing(part, missing)
      else await runPart(part, counterparts.envFor(part))
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
  } finally {
    await counterparts.close()
  }
  if (isInterrupted) reportInterrupted(progress)
  if (quick) reportLeftOut(quick.slow, quick.left)
  reportEnd(outcomes, counterparts.unmet)
  const { passed, failed } = totalOf(outcomes)
  return isInterrupted || failed > 0 || counterparts.unmet.length > 0 || passed === 0 ? 1 : 0
}

async function runPart(part: Part, env: NodeJS.ProcessEnv): Promise<void> {
  reportPart(part)
  const started = performance.now()
  const before = outcomes.length
  const alone = part.files.filter(measuresTime)
  const others = part.files.filter((file) => !alone.includes(file))
  await runBeside(part, others, env)
  await runAlone(part, alone, env)
  const seconds = (performance.now() - started) / 1000
  if (selection.record) recordDurations([{ part, seconds, outcomes: outcomes.slice(before) }])
}

/**
 * Runs several files at a time, longest first. A file that fails is rerun on its own. If it then passes, it is flaky.
 */
async function runBeside(part: Part, files: string[], env: NodeJS.ProcessEnv): Promise<void> {
  if (files.length < 2) return runAlone(part, files, env)
  const seconds = (file: string) => expectedSeconds(durations, part.name, file)
  const doubtful = new Set<Outcome>()
  try {
    await atOnce(
      files.toSorted((one, other) => seconds(other) - seconds(one)),
      async (file) => {
        const outcome = await run(part, file, env)
        if (outcome.failed === 0) keep(outcome)
        else {
          reportDoubt(outcome)
          doubtful.add(outcome)
        }
      },
    )
    if (doubtful.size > 0) reportSecondRun(doubtful.size)
    await runAgain(part, doubtful, env)
  } finally {
    // If the run is interrupted before a file's second run, its first failure counts.
    for (const outcome of doubtful) keep(outcome)
  }
}

async function runAgain(part: Part, doubtful: Set<Outcome>, env: NodeJS.ProcessEnv): Promise<void> {
  for (const before of doubtful) {
    const outcome = { ...(await run(part, before.file, env)), failedBesideOthers: true }
    doubtful.delete(before)
    keep(outcome)
    if (outcome.failed === 0) reportFlakyStory(before)
  }
}

async function runAlone(part: Part, files: string[], env: NodeJS.ProcessEnv): Promise<void> {
  for (const file of files) keep(await run(part, file, env))
}

function keep(outcome: Outcome): void {
  outcomes.push(outcome)
  progress.add(outcome)
  reportFile(outcome, progress)
}

/** On a slow machine, the time limit is extended because a file can exceed it without hanging. */
function run(part: Part, file: string, env: NodeJS.ProcessEnv): Promise<Outcome> {
  const pace = progress.pace()
  const limit = pace < slowPace ? selection.limit : selection.limit * Math.min(pace, 3)
  return runFile({ part, file, env, limit })
}
