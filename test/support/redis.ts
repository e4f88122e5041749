import { once } from 'node:events'
import { connect } from 'node:net'
import { findProgram, isProgram } from './find-program.ts'
import { freePort } from './free-port.ts'
import { openScratch } from './scratch.ts'

/** A temporary Redis or Valkey server on loopback without persistence. */
export interface RedisServer {
  /** Stays the same when the server is restarted. */
  url: string
  pid: number
  stop(): Promise<void>
  kill(): Promise<void>
  /** Restarts the server without data. */
  restart(): Promise<void>
  /** Suspends the server: it stays connected but does not respond. */
  pause(): void
  resume(): void
}

export const noRedis = 'no redis-server or valkey-server found; install redis-server or set REDIS_BIN'

/** For a test's `skip` option: the reason, or false if a server is installed. */
export const skipWithoutRedis = (): string | false => (findRedis() ? false : noRedis)

export async function startRedis(): Promise<RedisServer> {
  const program = findRedis()
  if (!program) throw new Error(noRedis)
  const scratch = await openScratch('redis')
  const port = await freePort()
  const launch = async () => {
    const server = await scratch.start(program, settings(port, scratch.directory))
    await server.until(() => responsesPing(port))
    return server
  }

  let server = await launch().catch(async (error) => {
    await scratch.close()
    throw error
  })
  return {
    url: `redis://127.0.0.1:${port}`,
    get pid() {
      return server.pid
    },
    stop: () => scratch.close(),
    async kill() {
      await server.end('SIGKILL')
    },
    async restart() {
      await server.end('SIGKILL')
      server = await launch()
    },
    pause: () => server.signal('SIGSTOP'),
    resume: () => server.signal('SIGCONT'),
  }
}

/** The path of the server program. */
export function findRedis(): string | undefined {
  const named = process.env.REDIS_BIN
  if (named) return isProgram(named) ? named : undefined
  return findProgram(['redis-server', 'valkey-server'])
}

function settings(port: number, directory: string): string[] {
  const network = ['--port', String(port), '--bind', '127.0.0.1']
  return [...network, '--dir', directory, '--save', '', '--appendonly', 'no', '--daemonize', 'no']
}

async function responsesPing(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  socket.setTimeout(1000, () => socket.destroy(new Error('no answer')))
  socket.write('PING\r\n')
  try {
    const [bytes] = await once(socket, 'data')
    return String(bytes).startsWith('+PONG')
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
