import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { boundedQueue } from '../../lib/bounded-queue.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import { minute } from '../../lib/time.ts'
import type { Rendered, Source } from './render-worker.ts'

export type Render = (source: Source) => Promise<{ html: string; start: string }>

interface Limits {
  /** What one body may take, in milliseconds. */
  time?: number
  /** How long the thread waits for the next one before it is ended. */
  idle?: number
}

/**
 * Makes HTML for readers of what writers wrote. The thread lives while there is work: nobody who writes nothing pays for
 * it. A body that takes too long, or too much memory, ends it and is refused.
 */
export function createRenderer({ time = 10_000, idle = minute }: Limits = {}): Render {
  const queue = boundedQueue(1, 32)
  let worker: Worker | undefined
  let timer: NodeJS.Timeout | undefined
  const end = () => {
    void worker?.terminate()
    worker = undefined
  }
  const renderApart = async (source: Source): Promise<Rendered> => {
    clearTimeout(timer)
    worker ??= await startWorker()
    const limit = AbortSignal.timeout(time)
    const done = new AbortController()
    const signal = AbortSignal.any([limit, done.signal])
    try {
      const answer = once(worker, 'message', { signal }).then(([rendered]) => rendered as Rendered)
      const gone = once(worker, 'exit', { signal }).then(() => tooMuch)
      gone.catch(() => {})
      worker.ref()
      worker.postMessage(source)
      const rendered = await Promise.race([answer, gone])
      worker.unref()
      timer = setTimeout(end, idle).unref()
      return rendered
    } catch (cause) {
      end()
      if (limit.aborted || isOutOfMemory(cause)) return tooMuch
      throw new AppError('INTERNAL_ERROR', { cause })
    } finally {
      done.abort()
    }
  }
  return async (source) => {
    const rendered = await queue.run(() => renderApart(source))
    if ('refused' in rendered) throw invalidField('body', rendered.refused)
    return rendered
  }
}

const tooMuch: Rendered = { refused: 'takes too much to render' }

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'

/** The time that it takes to start is nobody's body's. */
async function startWorker(): Promise<Worker> {
  const worker = new Worker(program, { env: {}, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 512 } })
  await once(worker, 'message')
  worker.unref()
  return worker
}

// The sources run as .ts, the bundle as .js.
const program = new URL(`./render-worker${import.meta.url.slice(-3)}`, import.meta.url)
