import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../test/support/free-port.ts'
import { openScratch } from '../../test/support/scratch.ts'
import { median } from '../numbers.ts'
import { residentMemory } from '../process/read-proc.ts'
import { entry, isAlive, production } from '../service.ts'

type Memory = Awaited<ReturnType<typeof residentMemory>>

export interface EmbeddedStart {
  first: number
  warm: number
  memory: Memory
}

const tries = 3
const idleTime = 5_000

/**
 * The first start has no settings and an empty directory, as in the quick start. The second start reuses that
 * directory.
 */
export async function measureEmbeddedStart(): Promise<EmbeddedStart> {
  const [first, warm]: [number[], number[]] = [[], []]
  let memory: Memory
  for (let count = 1; count <= tries; count++) {
    const scratch = await openScratch('bench-start')
    try {
      const env = { DATA_DIR: join(scratch.directory, 'data') }
      first.push((await startOnce(env, scratch.directory, 0)).milliseconds)
      const again = await startOnce(env, scratch.directory, count === tries ? idleTime : 0)
      warm.push(again.milliseconds)
      memory = again.memory
    } finally {
      await scratch.close()
    }
  }
  return { first: median(first), warm: median(warm), memory }
}

export interface PostgresStart {
  milliseconds: number
  memory: Memory
}

/** Starts with a database that already contains the tables. */
export async function measurePostgresStart(databaseUrl: string): Promise<PostgresStart> {
  const times: number[] = []
  let memory: Memory
  for (let count = 1; count <= tries; count++) {
    const scratch = await openScratch('bench-start')
    try {
      const env = { ...production, DATABASE_URL: databaseUrl, DATA_DIR: scratch.directory }
      const started = await startOnce(env, scratch.directory, count === tries ? idleTime : 0)
      times.push(started.milliseconds)
      memory = started.memory
    } finally {
      await scratch.close()
    }
  }
  return { milliseconds: median(times), memory }
}

/**
 * Measures the time from spawn to the first 200 from GET /health/live, and the memory after `idle` milliseconds without
 * requests.
 */
export async function startOnce(env: Record<string, string>, cwd: string, idle: number): Promise<PostgresStart> {
  const port = await freePort()
  const started = performance.now()
  const child = spawn(process.execPath, [entry, 'start'], {
    cwd,
    env: { PATH: process.env.PATH ?? '', PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text
  })
  const endWithUs = () => void child.kill('SIGKILL')
  process.on('exit', endWithUs)
  try {
    while (!(await isAlive(port))) {
      if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}:\n${complaints}`)
      if (performance.now() - started > 60_000) throw new Error('the service does not answer within a minute')
      await sleep(5)
    }
    const milliseconds = performance.now() - started
    await sleep(idle)
    return { milliseconds, memory: await residentMemory(child.pid ?? 0) }
  } finally {
    process.off('exit', endWithUs)
    if (child.exitCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
  }
}
