import { nodeOptions } from './parts.ts'
import { closeWorker, type Job, type Outcome, openWorker, runOn } from './run-file.ts'
import type { TestWorker } from './worker-process.ts'

/** Processes that are reused for several files. */
export interface Pool {
  run(job: Job): Promise<Outcome>
  /** Ends all processes. Returns a failure for the last file of each process that did not end by itself. */
  close(): Promise<Outcome[]>
}

/** A process is replaced after this many files, or when it uses this much memory, in bytes. */
const maxFiles = 60
const maxMemory = 900e6
/** Idle processes beyond this number are ended. */
const maxIdle = 4

interface Idle {
  worker: TestWorker
  kind: string
  last: Outcome
}

export function createPool(): Pool {
  const idle: Idle[] = []
  const problems: Outcome[] = []
  const ending = new Set<Promise<void>>()

  return {
    async run(job) {
      const kind = kindOf(job)
      const index = idle.findIndex((one) => one.kind === kind)
      const worker = index < 0 ? openWorker(job) : idle.splice(index, 1)[0]!.worker
      const outcome = await runOn(worker, job)
      const used: Idle = { worker, kind, last: outcome }
      if (isReusable(worker)) idle.push(used)
      else retire(used)
      if (idle.length > maxIdle) retire(idle.shift()!)
      return outcome
    },
    async close() {
      for (const one of idle.splice(0)) retire(one)
      await Promise.all(ending)
      return problems.splice(0)
    },
  }

  function retire({ worker, last }: Idle): void {
    if (!worker.isUsable()) worker.kill()
    const end = closeWorker(worker).then((problem) => {
      // The problems that made a process unusable have been reported.
      if (problem && worker.isUsable()) problems.push({ ...last, tests: [], passed: 0, failed: 1, skipped: 0, problem })
      ending.delete(end)
    })
    ending.add(end)
  }
}

const isReusable = (worker: TestWorker): boolean =>
  worker.isUsable() && worker.filesRun() < maxFiles && worker.memory() < maxMemory

/** Files with the same environment and options can share a process. */
const kindOf = ({ env, isAlone = false }: Job): string => JSON.stringify([env, nodeOptions(isAlone)])
