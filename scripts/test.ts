import { parseArgs } from 'node:util'
import { atOnce } from './test/at-once.ts'
import { openCounterparts } from './test/counterparts.ts'
import { isPartName, measuresTime, type Part, partNames, planParts } from './test/parts.ts'
import {
  reportDoubt,
  reportEnd,
  reportFile,
  reportFlakyStory,
  reportMissing,
  reportPart,
  reportSecondRun,
  totalOf,
} from './test/report.ts'
import { type Outcome, runFile, stopRunning } from './test/run-file.ts'

const usage = `node scripts/test.ts [--only ${partNames.join('|')}]… [--limit seconds] [file or glob]…`

const selection = readArguments()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    stopRunning()
    process.exit(1)
  })
}
process.exitCode = await runParts()

function readArguments() {
  const { values, positionals } = parseArgs({
    options: { only: { type: 'string', multiple: true, default: [] }, limit: { type: 'string', default: '300' } },
    allowPositionals: true,
  })
  const unknown = values.only.find((name) => !isPartName(name))
  const limit = Number(values.limit) * 1000
  if (unknown !== undefined || !(limit > 0)) {
    console.error(`usage: ${usage}`)
    process.exit(2)
  }
  return { only: values.only.filter(isPartName), patterns: positionals, limit }
}

async function runParts(): Promise<number> {
  const parts = planParts(selection.only, selection.patterns)
  const counterparts = await openCounterparts(new Set(parts.flatMap((part) => part.uses)))
  const outcomes: Outcome[] = []
  try {
    for (const part of parts) {
      const missing = part.needs.map((need) => counterparts.missing.get(need)).find((reason) => reason !== undefined)
      if (missing) reportMissing(part, missing)
      else outcomes.push(...(await runPart(part, counterparts.envFor(part))))
    }
  } finally {
    await counterparts.close()
  }
  reportEnd(outcomes, counterparts.unmet)
  const { passed, failed } = totalOf(outcomes)
  return failed > 0 || counterparts.unmet.length > 0 || passed === 0 ? 1 : 0
}

async function runPart(part: Part, env: NodeJS.ProcessEnv): Promise<Outcome[]> {
  reportPart(part)
  const alone = part.files.filter(measuresTime)
  const others = part.files.filter((file) => !alone.includes(file))
  return [...(await runBeside(part, others, env)), ...(await runAlone(part, alone, env))]
}

/**
 * Runs several files at a time. A file that failed is repeated alone, which distinguishes a flaky file from a broken
 * one.
 */
async function runBeside(part: Part, files: string[], env: NodeJS.ProcessEnv): Promise<Outcome[]> {
  if (files.length < 2) return runAlone(part, files, env)
  const first: Outcome[] = []
  await atOnce(files, async (file) => {
    const outcome = await run(part, file, env)
    if (outcome.failed > 0) reportDoubt(outcome)
    else reportFile(outcome)
    first.push(outcome)
  })
  const doubtful = first.filter(({ failed }) => failed > 0)
  if (doubtful.length > 0) reportSecondRun(doubtful.length)
  return [...first.filter(({ failed }) => failed === 0), ...(await runAgain(part, doubtful, env))]
}

async function runAgain(part: Part, doubtful: Outcome[], env: NodeJS.ProcessEnv): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const before of doubtful) {
    const outcome = { ...(await runAndReport(part, before.file, env)), failedBesideOthers: true }
    if (outcome.failed === 0) reportFlakyStory(before)
    outcomes.push(outcome)
  }
  return outcomes
}

async function runAlone(part: Part, files: string[], env: NodeJS.ProcessEnv): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const file of files) outcomes.push(await runAndReport(part, file, env))
  return outcomes
}

async function runAndReport(part: Part, file: string, env: NodeJS.ProcessEnv): Promise<Outcome> {
  const outcome = await run(part, file, env)
  reportFile(outcome)
  return outcome
}

function run(part: Part, file: string, env: NodeJS.ProcessEnv): Promise<Outcome> {
  return runFile({ part, file, env, limit: selection.limit })
}
