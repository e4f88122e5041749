import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { boundedQueue } from '../../lib/bounded-queue.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import { minute } from '../../lib/time.ts'
import { problemOfBody } from './body-limits.ts'
import type { Answer, Source } from './render-worker.ts'

/** `field`: as what it was sent; what is wrong with it is said of this name. */
export type Render = (source: Source, field?: string) => Promise<{ html: string; start: string; removed?: string[] }>

/** For one writer, by id. */
export type RenderFor = (writer: string) => Render

interface Limits {
  /** What one body may take of a processor, in milliseconds. */
  time?: number
  /** What it may take by the clock: more, because a busy machine makes everybody wait. */
  wait?: number
  /** How long the process waits for the next one before it is ended. */
  idle?: number
}

/**
 * Makes HTML for readers of what writers wrote, in a process that holds no secret. It lives while there is work: nobody
 * who writes nothing pays for it. A body that takes too long, or too much memory, ends it and is refused.
 */
export function createRenderer({ time = 3_000, wait = minute, idle = minute }: Limits = {}): Render {
  const queue = boundedQueue(1, maxWaiting)
  let child: ChildProcess | undefined
  let timer: NodeJS.Timeout | undefined
  const end = () => {
    child?.kill('SIGKILL')
    child = undefined
  }
  const renderApart = async (source: Source): Promise<Answer> => {
    clearTimeout(timer)
    if (!isRunning(child)) child = await startProcess(time)
    const answer = await answerOf(child, source, wait)
    if (typeof answer === 'string') end()
    // It has had less of the processor than a body may take: others have it, and the body may be a fine one.
    if (answer === 'late') throw new AppError('UNAVAILABLE', { retryAfter: 5 })
    if (answer === 'ended') return tooMuch
    timer = setTimeout(end, idle).unref()
    return answer
  }
  return async (source, field = 'body') => {
    const problem = problemOfBody(source)
    if (problem) throw invalidField(field, problem)
    const answer = await queue.run(() => renderApart(source))
    if ('refused' in answer) throw invalidField(field, answer.refused)
    if ('failed' in answer) throw new AppError('INTERNAL_ERROR', { cause: new Error(answer.failed) })
    return answer
  }
}

/** A writer has one place among all: what they save meanwhile waits for that one, and no other writer waits for it. */
export function inTurns(render: Render): RenderFor {
  const lines = new Map<string, ReturnType<typeof boundedQueue>>()
  const lineOf = (writer: string) => {
    const forget = (running: number) => void (running === 0 && lines.delete(writer))
    const line = lines.get(writer) ?? boundedQueue(1, maxWaiting, { onChange: forget })
    lines.set(writer, line)
    return line
  }
  return (writer) => (source, field) => lineOf(writer).run(() => render(source, field))
}

const maxWaiting = 32

const tooMuch: Answer = { refused: 'takes too much to render' }

const isRunning = (child: ChildProcess | undefined): child is ChildProcess =>
  child?.connected === true && child.exitCode === null && child.signalCode === null

/** The service can end while the process waits, and not while it works. */
async function answerOf(child: ChildProcess, source: Source, wait: number): Promise<Answer | 'ended' | 'late'> {
  child.ref()
  child.channel?.ref()
  const answer = messageOf<Answer>(child, wait)
  // Whatever keeps it from reading is known by its end.
  child.send(source, () => {})
  try {
    return await answer
  } finally {
    child.unref()
    child.channel?.unref()
  }
}

/** The time that it takes to start is nobody's body's. */
async function startProcess(time: number): Promise<ChildProcess> {
  const stdio = ['ignore', 'ignore', 'ignore', 'ipc'] as const
  const child = fork(program, [`${time}`], { env: {}, execArgv: [], serialization: 'advanced', stdio: [...stdio] })
  child.on('error', () => {})
  if ((await messageOf(child, minute)) === 'ready') return child
  child.kill('SIGKILL')
  throw new AppError('UNAVAILABLE', { retryAfter: 5 })
}

/** The next one, or what came before it: the end of the process, or of the time. */
function messageOf<Message>(child: ChildProcess, wait: number): Promise<Message | 'ended' | 'late'> {
  const done = new AbortController()
  const { signal } = done
  const message = once(child, 'message', { signal }).then(([message]) => message as Message)
  const gone = once(child, 'exit', { signal }).then(() => 'ended' as const)
  const late = once(AbortSignal.timeout(wait), 'abort', { signal }).then(() => 'late' as const)
  for (const other of [message, gone, late]) other.catch(() => {})
  return Promise.race([message, gone, late])
    .catch(() => 'ended' as const)
    .finally(() => done.abort())
}

// The sources run as .ts, the bundle as .js.
const program = fileURLToPath(new URL(`./render-process${import.meta.url.slice(-3)}`, import.meta.url))
