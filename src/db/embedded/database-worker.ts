import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { DurableFiles } from './durable-files.ts'

export interface EngineSource {
  directory: string | undefined
  /** The tar archive is not compressed, because the engine is slow at decompression. */
  archive: WireBytes | undefined
  program: WebAssembly.Module
}

/** Bytes that can be transferred to another thread without copying. */
export type WireBytes = Uint8Array<ArrayBuffer>

/** `wire`: one complete request or response in PostgreSQL's wire protocol. */
export type WorkerRequest = { kind: 'wire'; bytes: WireBytes } | { kind: 'dump' } | { kind: 'close' }
export interface WorkerResponse {
  kind: 'ready' | 'wire' | 'dump'
  bytes: WireBytes
}

// Small buffers save 120 MB and are just as fast, because the operating system caches files. More verbose log levels
// would write SQL statements to the log.
const settings = ['shared_buffers=16MB', 'log_min_messages=fatal']
// Emscripten ignores fdatasync, which is the default on Linux.
const durable = ['fsync=on', 'wal_sync_method=fsync']
// The default segment size of 16 MB would account for most of an empty database.
const creation = ['--wal-segsize=1']
// Otherwise, the archive of a new database contains empty WAL files, a third of its size, for future segments.
const forArchive = ['wal_recycle=off']

const port = parentPort!
const engine = await start(workerData as EngineSource)
port.on('message', (request: WorkerRequest) => void respond(request))
reply('ready', new Uint8Array())

async function start({ directory, archive, program }: EngineSource): Promise<PGlite> {
  let lastWords: string | undefined
  try {
    return await PGlite.create({
      pgliteWasmModule: program,
      ...(directory !== undefined && { fs: new DurableFiles(directory) }),
      ...(archive && { loadDataDir: new Blob([archive], { type: 'application/x-tar' }) }),
      initDbStartParams: creation,
      startParams: startParams({ directory, archive }),
      onStderr: (line) => {
        lastWords = /(FATAL|PANIC): .*/.exec(line)?.[0] ?? lastWords
        return true
      },
    })
  } catch (error) {
    throw new Error(`The embedded database could not start: ${lastWords ?? String(error)}`)
  }
}

// `-F` turns fsync off.
function startParams({ directory, archive }: Pick<EngineSource, 'directory' | 'archive'>): string[] {
  const isNew = directory === undefined && archive === undefined
  const all = [...settings, ...(directory === undefined ? ['fsync=off'] : durable), ...(isNew ? forArchive : [])]
  return [...PGlite.defaultStartParams.filter((param) => param !== '-F'), ...all.flatMap((setting) => ['-c', setting])]
}

async function respond(request: WorkerRequest): Promise<void> {
  if (request.kind === 'close') {
    await engine.close()
    port.close()
  } else if (request.kind === 'dump') {
    const dump = await engine.dumpDataDir('gzip')
    reply('dump', new Uint8Array(await dump.arrayBuffer()))
  } else {
    await responseWire(request.bytes)
  }
}

async function responseWire(bytes: Uint8Array): Promise<void> {
  const parts: Uint8Array[] = []
  // The bytes are a view of the engine's memory, which the next part overwrites.
  await engine.execProtocolRawStream(bytes, { syncToFs: false, onRawData: (part) => void parts.push(part.slice()) })
  const answered = new Uint8Array(Buffer.concat(parts))
  const isComplete = endsReadyForQuery(answered)
  reply('wire', answered)
  // After a panic, for example on a full disk, the engine no longer responds.
  if (!isComplete) throw new Error('The engine of the embedded database has stopped')
}

// ReadyForQuery is 'Z', length 5, and one byte of transaction status.
const endsReadyForQuery = (bytes: Uint8Array): boolean =>
  bytes.at(-6) === 0x5a && bytes.at(-5) === 0 && bytes.at(-4) === 0 && bytes.at(-3) === 0 && bytes.at(-2) === 5

function reply(kind: WorkerResponse['kind'], bytes: WireBytes): void {
  port.postMessage({ kind, bytes } satisfies WorkerResponse, [bytes.buffer])
}
