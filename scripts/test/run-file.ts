import { join } from 'node:path'
import { nodeOptions, type Part } from './parts.ts'
import type { TestResult } from './worker/protocol.ts'
import { type FileEnd, startWorker, type TestWorker } from './worker-process.ts'

export interface Job {
  part: Part
  /** Relative to the tested tree. */
  file: string
  env: NodeJS.ProcessEnv
  /** Milliseconds after which the file is stopped and counts as failed. */
  limit: number
  /** Whether the file has declared that it changes its process. */
  isOwnProcess?: boolean
  /** Whether the file measures durations. */
  isAlone?: boolean
  /** The root of the tested tree. Default: the current directory. */
  cwd?: string
}

export interface Outcome {
  part: string
  file: string
  tests: TestResult[]
  passed: number
  failed: number
  skipped: number
  /** Why tests were skipped. */
  reasons: string[]
  /** A problem with the entire file, such as a time-out. Excludes individual test failures. */
  problem: string | undefined
  /** Whether the file exceeded its time limit. */
  wasStopped?: boolean
  /** Whether this is a second run of the file on its own, after it failed alongside other files. */
  failedBesideOthers: boolean
  seconds: number
  /** CPU seconds of the file's process and its child processes, without servers that several files share. */
  cpu: number
  output: string
}

/** Thrown if the run is interrupted before a file has finished. */
export class Stopped extends Error {}

const workers = new Set<TestWorker>()
let isStopped = false

export function stopRunning(): void {
  isStopped = true
  for (const worker of workers) worker.kill()
}

// Every test file imports most of the service. The compile cache more than halves the import time.
const compileCache = join(import.meta.dirname, '../../node_modules/.cache/tests')

export function openWorker({ env, isAlone = false, cwd = process.cwd() }: Job): TestWorker {
  const worker = startWorker({
    env: { NODE_COMPILE_CACHE: compileCache, ...env },
    nodeOptions: nodeOptions(isAlone),
    cwd,
  })
  workers.add(worker)
  return worker
}

export async function closeWorker(worker: TestWorker): Promise<string | undefined> {
  const problem = await worker.end()
  workers.delete(worker)
  return problem
}

/** Runs a test file in a process of its own, which must end by itself. */
export async function runFile(job: Job): Promise<Outcome> {
  if (isStopped) throw new Stopped()
  const worker = openWorker(job)
  const outcome = await runOn(worker, job)
  if (!worker.isUsable()) worker.kill()
  const problem = await closeWorker(worker)
  return problem && outcome.failed === 0 ? { ...outcome, failed: 1, problem } : outcome
}

/** Milliseconds that the sockets and processes of a file may take to close after its last test. */
const settleLimit = (limit: number): number => Math.min(10_000, limit / 10)

/** Runs a test file in this process. A file without a complete result counts as failed. */
export async function runOn(worker: TestWorker, { part, file, limit, isOwnProcess = false }: Job): Promise<Outcome> {
  if (isStopped) throw new Stopped()
  const end = await worker.run(file, { limit, settleLimit: settleLimit(limit), isOwnProcess })
  if (isStopped) throw new Stopped()
  return outcomeOf(part.name, file, end)
}

function outcomeOf(part: string, file: string, { result, problem, wasStopped, output, seconds }: FileEnd): Outcome {
  const tests = result?.tests ?? []
  const count = (outcome: TestResult['outcome']) => tests.filter((test) => test.outcome === outcome).length
  const problems = [problem, ...(result?.problems ?? [])].filter((one) => one !== undefined)
  const reasons = tests.flatMap(({ reason }) => reason ?? [])
  return {
    part,
    file,
    tests,
    passed: count('passed'),
    failed: count('failed') || (problems.length > 0 ? 1 : 0),
    skipped: count('skipped'),
    reasons: [...new Set(reasons)],
    problem: problems.length > 0 ? problems.join('\n') : undefined,
    wasStopped,
    failedBesideOthers: false,
    seconds: result?.seconds ?? seconds,
    cpu: result?.cpu ?? seconds,
    output: output + (result?.story ?? ''),
  }
}
