import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { nodeOptions, type Part } from './parts.ts'
import { type Counts, readCounts } from './read-counts.ts'

export interface FileRun {
  part: Part
  file: string
  env: NodeJS.ProcessEnv
  /** Milliseconds after which the file is stopped and counts as failed. */
  limit: number
  /** The root of the tested tree. Default: the current directory. */
  cwd?: string
}

export interface Outcome extends Counts {
  part: string
  file: string
  /** A problem with the entire file, such as a time-out or a missing result. Excludes individual test failures. */
  problem: string | undefined
  /** Whether this is a second run of the file on its own, after it failed alongside other files. */
  failedBesideOthers: boolean
  seconds: number
  output: string
}

/** Runs a test file in its own process. A file without a complete result counts as failed. */
export async function runFile(run: FileRun): Promise<Outcome> {
  if (isStopped) throw new Stopped()
  const started = performance.now()
  const end = await runToEnd(run)
  if (isStopped) throw new Stopped()
  const counts = readCounts(end.stdout)
  const problem = problemOf(end, counts, run.limit)
  const { passed = 0, failed = 0, skipped = 0, reasons = [] } = counts ?? {}
  return {
    part: run.part.name,
    file: run.file,
    passed,
    failed: failed || (problem ? 1 : 0),
    skipped,
    reasons,
    problem,
    failedBesideOthers: false,
    seconds: (performance.now() - started) / 1000,
    output: end.output,
  }
}

/** Thrown if the run is interrupted before a file has finished. */
export class Stopped extends Error {}

let isStopped = false

export function stopRunning(): void {
  isStopped = true
  for (const child of running) child.kill('SIGKILL')
}

interface End {
  code: number | null
  signal: NodeJS.Signals | null
  isLate: boolean
  isClosed: boolean
  stdout: string
  /** Standard output and standard error in order of arrival. */
  output: string
}

const running = new Set<ChildProcess>()

const reporters = [
  ['spec', 'stdout'],
  [new URL('./tell-late.ts', import.meta.url).href, 'stderr'],
].flatMap(([reporter, destination]) => [`--test-reporter=${reporter}`, `--test-reporter-destination=${destination}`])

// Every test file imports most of the service. The compile cache more than halves the import time.
const compileCache = join(import.meta.dirname, '../../node_modules/.cache/tests')

async function runToEnd({ part, file, env, limit, cwd }: FileRun): Promise<End> {
  const child = spawn(process.execPath, [...nodeOptions(part, file), ...reporters, file], {
    env: { NODE_COMPILE_CACHE: compileCache, ...env },
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const written = { stdout: '', output: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written.stdout += text
    written.output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    written.output += text
  })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = child.kill('SIGTERM')
    // A process stuck in an endless loop does not handle SIGTERM.
    setTimeout(() => child.kill('SIGKILL'), 2_000).unref()
  }, limit)

  const closed = once(child, 'close').then(() => true)
  const [code, signal] = await once(child, 'exit')
  clearTimeout(timer)
  running.delete(child)
  const isClosed = await Promise.race([closed, sleep(2000, false, { ref: false })])
  child.stdout.destroy()
  child.stderr.destroy()
  return { code, signal, isLate, isClosed, ...written }
}

function problemOf(end: End, counts: Counts | undefined, limit: number): string | undefined {
  if (end.isLate) return `stopped after ${Math.round(limit / 1000)} seconds`
  if (end.signal) return `ended by ${end.signal}`
  if (!counts) return `ended with code ${end.code} before its tests had reported`
  if (!end.isClosed) return 'left a process behind that holds its output'
  if (counts.passed + counts.failed + counts.skipped === 0) return 'declares no test'
  if (end.code !== 0 && counts.failed === 0) return `ended with code ${end.code} although no test failed`
  return undefined
}
