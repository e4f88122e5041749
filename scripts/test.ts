import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { renewBundle } from './test/bundle.ts'
import { checkItems } from './test/checks.ts'
import { type Counterparts, openCounterparts } from './test/counterparts.ts'
import type { Fifth } from './test/doubled.ts'
import { readDurations, recordDurations } from './test/durations.ts'
import { fileItem } from './test/file-item.ts'
import { watchMemory } from './test/memory.ts'
import { useMemoryDirectory } from './test/memory-directory.ts'
import { inOrder } from './test/order.ts'
import { type Part, planParts } from './test/parts.ts'
import { createPool } from './test/pool.ts'
import { createProgress, type Progress } from './test/progress.ts'
import { planQuick } from './test/quick.ts'
import { readArguments } from './test/read-arguments.ts'
import { appendReport } from './test/records.ts'
import * as report from './test/report.ts'
import { type Outcome, Stopped, stopRunning } from './test/run-file.ts'
import { runItems } from './test/run-items.ts'
import { itemsOfShard } from './test/shard.ts'

const options = readArguments()
const durations = readDurations()
const isQuick = !options.all && options.only.length === 0 && options.patterns.length === 0
const quick = isQuick ? planQuick(durations) : undefined
const started = performance.now()
const memory = watchMemory()
const outcomes: Outcome[] = []
let isInterrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    isInterrupted = true
    stopRunning()
  })
}
if (options.report) rmSync(options.report, { force: true })
const removeFiles = useMemoryDirectory()
/** Files that several test files use and only the first of them creates. */
const shared = mkdtempSync(join(tmpdir(), 'wardenry-shared-'))
try {
  process.exitCode = await runAll()
} finally {
  rmSync(shared, { recursive: true, force: true })
  removeFiles()
}

async function runAll(): Promise<number> {
  const wanted = quick?.parts ?? planParts(options)
  renewBundle(wanted)
  const counterparts = await openCounterparts(new Set(wanted.flatMap((part) => part.uses)))
  const pool = createPool()
  // Without a server, the embedded database runs all of the doubled files.
  const fifth = counterparts.missing.has('postgres') ? 'all' : options.fifth
  const parts = runnable(quick?.parts ?? planParts({ ...options, fifth }), counterparts)
  const context = { ...options, pool, pace: () => progress.pace() }
  const all = [
    ...parts.flatMap((part) =>
      part.files.map((file) =>
        fileItem({ part, file, env: { ...counterparts.envFor(part), ...ofRun(fifth) } }, context),
      ),
    ),
    ...(options.checks ? checkItems() : []),
  ]
  const items = itemsOfShard(all, durations, options.shard)
  const progress: Progress = createProgress(items, durations)
  report.plan(progress, { ...options, fifth })
  const keep = (outcome: Outcome) => {
    outcomes.push(outcome)
    progress.add(outcome)
    report.file(outcome, progress)
    if (options.report) appendReport(options.report, outcome)
  }
  try {
    await runItems(inOrder(items, durations, options.seed), { ...report, keep })
    for (const outcome of await pool.close()) keep(outcome)
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
  } finally {
    await pool.close()
    await counterparts.close()
  }
  return end(progress, counterparts.unmet)
}

function ofRun(fifth: Fifth): NodeJS.ProcessEnv {
  return { TEST_FIFTH: String(fifth), TEST_SHARED: shared }
}

/** The parts whose required programs are installed. */
function runnable(parts: Part[], { missing }: Counterparts): Part[] {
  return parts.filter((part) => {
    const reason = part.needs.map((need) => missing.get(need)).find((one) => one !== undefined)
    if (reason) report.missing(part, reason)
    return reason === undefined
  })
}

function end(progress: Progress, unmet: string[]): number {
  const seconds = (performance.now() - started) / 1000
  if (options.record) recordDurations(outcomes, { seconds, isExisting: existsSync })
  if (isInterrupted) report.interrupted(progress)
  if (quick) report.leftOut(quick)
  report.cost(seconds, memory.peak())
  report.end(outcomes, unmet)
  const { passed, failed } = report.totalOf(outcomes)
  return isInterrupted || failed > 0 || unmet.length > 0 || passed === 0 ? 1 : 0
}
