import { parseArgs } from 'node:util'
import { atOnce } from './test/at-once.ts'
import { openCounterparts } from './test/counterparts.ts'
import { isPartName, measuresTime, type Part, partNames, planParts } from './test/parts.ts'
import { reportEnd, reportFile, reportMissing, reportPart, reportSecondRun, totalOf } from './test/report.ts'
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

/** Several at a time. What failed beside others gets a second run, alone, which tells a flaky file from a broken one. */
async function runBeside(part: Part, files: string[], env: NodeJS.ProcessEnv): Promise<Outcome[]> {
  const first: Outcome[] = []
  await atOnce(files, async (file) => {
    first.push(await runAndReport(part, file, env))
  })
  const failed = first.filter((outcome) => outcome.failed > 0).map(({ file }) => file)
  if (files.length < 2 || failed.length === 0) return first
  reportSecondRun(failed)
  const second = await runAlone(part, failed, env)
  return [
    ...first.filter(({ file }) => !failed.includes(file)),
    ...second.map((outcome) => ({ ...outcome, failedBesideOthers: true })),
  ]
}

async function runAlone(part: Part, files: string[], env: NodeJS.ProcessEnv): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const file of files) outcomes.push(await runAndReport(part, file, env))
  return outcomes
}

async function runAndReport(part: Part, file: string, env: NodeJS.ProcessEnv): Promise<Outcome> {
  const outcome = await runFile({ part, file, env, limit: selection.limit })
  reportFile(outcome)
  return outcome
}
