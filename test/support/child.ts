import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import { type BoundProcess, openScratch, type Scratch } from './scratch.ts'

/** The real service as a process of its own, on a free loopback port. */
export interface Service {
  url: string
  pid: number
  /** Everything it has written so far, logs included. */
  output(): string
  /** Asks for a clean end and gives the exit code. */
  stop(): Promise<number>
  kill(): Promise<void>
}

/**
 * Starts the service with these settings and nothing else of our environment, and waits until it answers. Without
 * DATA_DIR it gets a directory that is removed with it. Rejects with the output when the service refuses to start.
 * Whatever is still running when the test process ends is killed.
 */
export async function startService(settings: Record<string, string>): Promise<Service> {
  const scratch = await openScratch('service')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  try {
    const service = await scratch.start(process.execPath, ['bin/wardenry.js', 'start'], {
      cwd: root,
      env: { ...surroundings(scratch), HOST: '127.0.0.1', PORT: String(port), ...settings },
    })
    await service.until(() => isAlive(url))
    return handle(url, service, scratch)
  } catch (error) {
    await scratch.close()
    throw error
  }
}

/** Waits until the service has written something like this. */
export async function written(service: Service, pattern: RegExp, limit = 30_000): Promise<RegExpExecArray> {
  for (const end = performance.now() + limit; ; await sleep(20)) {
    const found = pattern.exec(service.output())
    if (found) return found
    if (performance.now() > end) throw new Error(`nothing like ${pattern} in:\n${service.output()}`)
  }
}

const root = resolve(import.meta.dirname, '../..')

function surroundings(scratch: Scratch): Record<string, string> {
  const { PATH = '', HOME = scratch.directory } = process.env
  return { PATH, HOME, DATA_DIR: join(scratch.directory, 'data') }
}

async function isAlive(url: string): Promise<boolean> {
  try {
    const reply = await fetch(`${url}/health/live`, { signal: AbortSignal.timeout(1000) })
    await reply.body?.cancel()
    return reply.status === 200
  } catch {
    return false
  }
}

function handle(url: string, service: BoundProcess, scratch: Scratch): Service {
  return {
    url,
    pid: service.pid,
    output: service.output,
    async stop() {
      const code = await service.end('SIGTERM')
      await scratch.close()
      return code
    },
    async kill() {
      await service.end('SIGKILL')
      await scratch.close()
    },
  }
}
