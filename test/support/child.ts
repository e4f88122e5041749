import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import { forShortServices } from './node-options.ts'
import { type BoundProcess, openScratch, type Scratch } from './scratch.ts'

/** A service in its own process, on a loopback port. */
export interface Service {
  url: string
  pid: number
  /** The service's output so far, including the log. */
  output(): string
  /** The readable ends of the output streams, for tests that stop reading them. */
  stdout: Readable
  stderr: Readable
  /** Stops the service cleanly and returns the exit code. */
  stop(): Promise<number>
  kill(): Promise<void>
}

/**
 * Starts the service with only these settings, and waits until it responds. Without DATA_DIR, it gets a temporary
 * directory, and without PORT, a free port. Rejects with the output if the service refuses to start. Services that are
 * still running when the test process ends are killed.
 */
export async function startService(settings: Record<string, string>, options?: LaunchOptions): Promise<Service> {
  const service = await launchService(settings, options)
  try {
    await service.ready()
    return service
  } catch (error) {
    await service.kill()
    throw error
  }
}

interface LaunchOptions {
  /** Shell redirections for the service's streams. */
  redirect?: string
  /** The directory of the tree to start. Default: this tree. */
  tree?: string
}

/** Like `startService`, but does not wait for a response. For tests of startup. */
export async function launchService(
  settings: Record<string, string>,
  { redirect = '', tree = root }: LaunchOptions = {},
): Promise<Service & { ready(): Promise<void> }> {
  const scratch = await openScratch('service')
  const port = settings.PORT ?? String(await freePort())
  const url = `http://127.0.0.1:${port}`
  try {
    const service = await scratch.start(
      '/bin/sh',
      ['-c', `exec "$0" ${forShortServices.join(' ')} bin/wardenry.js start ${redirect}`, process.execPath],
      {
        cwd: tree,
        env: { ...surroundings(scratch, tree), HOST: '127.0.0.1', PORT: port, ...settings },
      },
    )
    return { ...handle(url, service, scratch), ready: () => service.until(() => isAlive(url)) }
  } catch (error) {
    await scratch.close()
    throw error
  }
}

/** Waits until the service's output matches the pattern. */
export async function written(service: Service, pattern: RegExp, limit = 30_000): Promise<RegExpExecArray> {
  for (const end = performance.now() + limit; ; await sleep(20)) {
    const found = pattern.exec(service.output())
    if (found) return found
    if (performance.now() > end) throw new Error(`nothing like ${pattern} in:\n${service.output()}`)
  }
}

const root = resolve(import.meta.dirname, '../..')

function surroundings({ directory }: Scratch, tree: string): Record<string, string> {
  const { PATH = '', HOME = directory } = process.env
  // Another tree has no bundle, so its services start from the sources.
  const cache: Record<string, string> = tree === root ? {} : { NODE_COMPILE_CACHE: join(tree, 'build/compile-cache') }
  return { PATH, HOME, DATA_DIR: join(directory, 'data'), ...cache }
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
    stdout: service.stdout,
    stderr: service.stderr,
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
