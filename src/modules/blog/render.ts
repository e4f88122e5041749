import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as setTimer } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { boundedQueue } from '../../lib/bounded-queue.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import { minute } from '../../lib/time.ts'
import type { RenderSource } from './body-limits.ts'
import type { PostRow } from './queries.ts'
import type { RenderResult } from './render-worker.ts'

/** `field` is the name of the request member in validation errors. */
export type RenderText = (
  source: RenderSource,
  field?: string,
) => Promise<{ html: string; start: string; removed?: string[] }>

export type RenderFor = (writer: string) => RenderText

interface Limits {
  /** The maximum CPU time for one body, in milliseconds. */
  time?: number
  /** The maximum elapsed time for one body, in milliseconds. Includes time spent waiting for the CPU and the process. */
  wait?: number
  idle?: number
}

/** Renders in a separate process without secrets. The process is killed if a body takes too much time or memory. */
export function createRenderer({ time = 3_000, wait = 5_000, idle = minute }: Limits = {}): RenderText {
  const queue = boundedQueue(1, maxWaiting)
  let child: ChildProcess | undefined
  let timer: NodeJS.Timeout | undefined
  const end = () => {
    child?.kill('SIGKILL')
    child = undefined
  }
  const endLater = () => {
    clearTimeout(timer)
    timer = setTimeout(end, idle).unref()
  }
  let starting: Promise<void> | undefined
  const start = async () => {
    child = await startProcess(time)
    endLater()
  }
  /** A request does not wait longer than `wait`, but the process continues to start for the next one. */
  const isStarted = (): Promise<boolean> => {
    starting ??= start().finally(() => {
      starting = undefined
    })
    return Promise.race([starting.then(() => true), setTimer(wait, false, { ref: false })])
  }
  const renderApart = async (source: RenderSource): Promise<RenderResult> => {
    const begin = performance.now()
    if (!isRunning(child) && !(await isStarted())) throw isBusy()
    clearTimeout(timer)
    const rest = Math.max(minRest, Math.round(wait - (performance.now() - begin)))
    const response = child ? await responseOf(child, source, rest) : 'ended'
    if (typeof response === 'string') end()
    // The body has not used up its CPU time, so the machine is busy. The client may retry.
    if (response === 'late') throw isBusy()
    if (response === 'ended') return tooMuch
    endLater()
    return response
  }
  return async (source, field = 'body') => {
    const response = await queue.run(() => renderApart(source))
    if ('refused' in response) throw invalidField(field, response.refused)
    if ('failed' in response) throw new AppError('INTERNAL_ERROR', { cause: new Error(response.failed) })
    return response
  }
}

/** Also collects what is removed from the bodies, for the person who wrote them. */
export function collectRemoved(render: RenderText): { render: RenderText; meta(): { notes?: string[] } } {
  const notes: string[] = []
  return {
    render: async (source, field = 'body') => {
      const rendered = await render({ ...source, listsRemoved: true }, field)
      const { removed = [] } = rendered
      if (removed.length > 0) notes.push(`HTML was removed from ${field}: ${removed.join(', ')}`)
      return rendered
    },
    meta: () => (notes.length > 0 ? { notes } : {}),
  }
}

/** Renders one body per writer at a time so that a writer's requests delay only that writer. */
export function perWriterQueue(render: RenderText): RenderFor {
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
/** The minimum time for a body after the process has started, in milliseconds. */
const minRest = 100

const isBusy = () => new AppError('UNAVAILABLE', { retryAfter: 5 })

const tooMuch: RenderResult = { refused: 'takes too long or too much memory to render' }

const isRunning = (child: ChildProcess | undefined): child is ChildProcess =>
  child?.connected === true && child.exitCode === null && child.signalCode === null

/** The child process prevents the service from exiting only while a body is being rendered. */
async function responseOf(
  child: ChildProcess,
  source: RenderSource,
  wait: number,
): Promise<RenderResult | 'ended' | 'late'> {
  child.ref()
  child.channel?.ref()
  const response = messageOf<RenderResult>(child, wait)
  // If sending fails, the child process's exit reports the failure.
  child.send(source, () => {})
  try {
    return await response
  } finally {
    child.unref()
    child.channel?.unref()
  }
}

/** The rendering time excludes process startup. */
async function startProcess(time: number): Promise<ChildProcess> {
  const stdio = ['ignore', 'ignore', 'ignore', 'ipc'] as const
  const child = fork(program, [`${time}`], { env: {}, execArgv: [], serialization: 'advanced', stdio: [...stdio] })
  child.on('error', () => {})
  if ((await messageOf(child, minute)) !== 'ready') {
    child.kill('SIGKILL')
    throw isBusy()
  }
  child.unref()
  child.channel?.unref()
  return child
}

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

// Source files end in .ts and bundled files in .js.
const program = fileURLToPath(new URL(`./render-process${import.meta.url.slice(-3)}`, import.meta.url))

export type PostBody = Pick<PostRow, 'body' | 'body_format' | 'body_html' | 'body_start'>

/** Returns the columns for a rendered body. HTML is stored sanitized so that removed parts do not reach editors. */
export async function renderBody(
  render: RenderText,
  { body, body_format }: Pick<PostRow, 'body' | 'body_format'>,
): Promise<PostBody> {
  if (body === null || body_format === 'json') return { body, body_format, body_html: null, body_start: '' }
  const { html, start } = await render({ format: body_format, body })
  return { body: body_format === 'html' ? html : body, body_format, body_html: html, body_start: start }
}
