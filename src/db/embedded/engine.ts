import { readFile } from 'node:fs/promises'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { useExactTypes } from '../session-settings.ts'
import { statementNames } from '../statement-names.ts'
import type { EngineSource, WireBytes, WorkerRequest, WorkerResponse } from './database-worker.ts'
import { createSocket } from './socket.ts'

const closeLimit = 10_000

/** node-postgres treats the engine as a server, so parameters, values and errors match those of a server. */
export interface EmbeddedEngine {
  query(text: string, values?: readonly unknown[]): Promise<pg.QueryResult>
  script(text: string): Promise<pg.QueryResult[]>
  /** A failed transaction can only be rolled back. */
  transaction(): 'none' | 'open' | 'failed'
  dump(): Promise<WireBytes>
  close(): Promise<void>
  /** Stops the worker abruptly, like a crash. Running statements fail. Resolves when the worker has stopped. */
  kill(reason: Error): Promise<void>
  /** Resolves when the engine has ended: with the failure reason, or with undefined after `close`. */
  ended: Promise<Error | undefined>
}

export class EngineGone extends Error {
  readonly code = 'ENGINE_GONE'
}

export async function startEngine(files: Omit<EngineSource, 'program'>): Promise<EmbeddedEngine> {
  program ??= compileProgram().catch((error) => {
    program = undefined
    throw error
  })
  const source: EngineSource = { ...files, program: await program }
  // The worker gets neither the environment, which contains secrets, nor this process's flags.
  const worker = new Worker(workerFile, { workerData: source, env: compileCache(), execArgv: [] })
  const post = (request: WorkerRequest) => worker.postMessage(request, 'bytes' in request ? [request.bytes.buffer] : [])
  const socket = createSocket((bytes) => post({ kind: 'wire', bytes }))
  const responses = receive(worker, socket)
  const run = watchEnd(worker, socket)

  await Promise.race([responses.next('ready'), run.failed])
  const client = await connect(socket)
  const named = statementNames()
  const ask = async (statement: pg.QueryConfig) => {
    // The client's own error states only that the client is not queryable.
    if (socket.errored) throw socket.errored
    return client.query(statement)
  }
  return {
    query: (text, values = []) => ask(named(text, values)),
    script: async (text) => [await ask({ text })].flat(),
    transaction: () => transactionStates[client.getTransactionStatus() ?? 'I'],
    dump: () => {
      post({ kind: 'dump' })
      return Promise.race([responses.next('dump'), run.failed])
    },
    close: async () => {
      run.expectEnd()
      post({ kind: 'close' })
      const isClosed = await Promise.race([run.ended.then(() => true), sleep(closeLimit, false, { ref: false })])
      if (!isClosed) await worker.terminate()
    },
    kill: run.kill,
    ended: run.ended,
  }
}

const transactionStates = { I: 'none', T: 'open', E: 'failed' } as const

// A worker does not use its process's cache unless it is told to, and would strip the types of its sources each time.
const compileCache = (): NodeJS.ProcessEnv => {
  const { NODE_COMPILE_CACHE } = process.env
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
}

// Compiled once because tests and restarts start several engines in one process.
let program: Promise<WebAssembly.Module> | undefined

async function compileProgram(): Promise<WebAssembly.Module> {
  const engine = import.meta.resolve('@electric-sql/pglite')
  return WebAssembly.compile(await readFile(new URL('./pglite.wasm', engine)))
}

// The extension is `.ts` in the source tree and `.js` in the bundle.
const workerFile = new URL(`./database-worker${import.meta.url.slice(-3)}`, import.meta.url)

function receive(worker: Worker, socket: Duplex) {
  const waiting = new Map<WorkerResponse['kind'], (bytes: WireBytes) => void>()
  worker.on('message', ({ kind, bytes }: WorkerResponse) => {
    if (kind !== 'wire') waiting.get(kind)?.(bytes)
    else if (!socket.destroyed) socket.push(Buffer.from(bytes.buffer))
  })
  return { next: (kind: WorkerResponse['kind']) => new Promise<WireBytes>((resolve) => waiting.set(kind, resolve)) }
}

function watchEnd(worker: Worker, socket: Duplex) {
  let isExpected = false
  let reason: Error = new EngineGone('The embedded database ended unexpectedly')
  worker.on('error', (error: Error) => {
    reason = new EngineGone(error.message, { cause: error })
  })
  const ended = new Promise<Error | undefined>((resolve) => {
    worker.once('exit', () => {
      socket.destroy(isExpected ? new EngineGone('The embedded database is closed') : reason)
      resolve(isExpected ? undefined : reason)
    })
  })
  const failed = ended.then((error): never => {
    throw error ?? new EngineGone('The embedded database is closed')
  })
  failed.catch(() => {})
  return {
    ended,
    failed,
    expectEnd: () => {
      isExpected = true
    },
    kill: async (cause: Error) => {
      reason = cause
      socket.destroy(cause)
      await worker.terminate()
    },
  }
}

async function connect(socket: Duplex): Promise<pg.Client> {
  // All values are set, because node-postgres reads missing values from environment variables such as PGSSLMODE.
  const address = { host: 'embedded', port: 5432, user: 'postgres', database: 'postgres', password: 'none', ssl: false }
  const client = new pg.Client({ ...address, stream: () => socket })
  useExactTypes(client)
  // Without a listener, an error would crash the process. The running statement fails anyway.
  client.on('error', () => {})
  await client.connect()
  return client
}
