import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FileResult, WorkerRequest, WorkerResponse } from './worker/protocol.ts'

export interface WorkerOptions {
  env: NodeJS.ProcessEnv
  nodeOptions: readonly string[]
  /** The root of the tested tree. */
  cwd: string
}

/** How a file ended: with a result, or with its process. */
export interface FileEnd {
  result: FileResult | undefined
  /** Why there is no result, such as a time-out. */
  problem: string | undefined
  /** Whether the file exceeded its time limit. */
  wasStopped: boolean
  /** Standard output and standard error in order of arrival. */
  output: string
  seconds: number
}

/** A process that runs test files one after the other. */
export interface TestWorker {
  run(file: string, options: Omit<WorkerRequest, 'file' | 'path' | 'token'> & { limit: number }): Promise<FileEnd>
  /** Whether the process can run another file. */
  isUsable(): boolean
  memory(): number
  filesRun(): number
  /** Ends the process. Resolves with a problem if it does not end by itself. */
  end(): Promise<string | undefined>
  kill(): void
}

const folder = join(import.meta.dirname, 'worker')
/** Milliseconds that a process may take to end after its last file. It removes its temporary directories on exit. */
const endLimit = 30_000

export function startWorker({ env, nodeOptions, cwd }: WorkerOptions): TestWorker {
  const reporter = [`--test-reporter=${join(folder, 'reporter.ts')}`, '--test-reporter-destination=stdout']
  const child = spawn(process.execPath, [...nodeOptions, ...reporter, join(folder, 'start.ts')], {
    env,
    cwd,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const messages = readMessages(child)
  const streams = readStreams(child)
  const exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }) as Exit)
  let filesRun = 0
  let memory = 0
  let isUsable = true
  let hasFailed = false

  return {
    async run(file, { limit, ...options }) {
      const started = performance.now()
      const token = `end of ${file} ${randomUUID()}`
      streams.begin(token)
      await Promise.race([messages.ready, exited])
      const done = messages.next()
      if (child.connected)
        child.send({ ...options, file, path: resolve(cwd, file), token } satisfies WorkerRequest, () => {})
      const stop = stopAfter(child, limit)
      const end = await Promise.race([done, exited])
      stop.cancel()
      const hasEnded = 'code' in end
      const isComplete = await (hasEnded ? streams.closed() : streams.ended())
      isUsable = !hasEnded && isComplete && end.problems.length === 0
      hasFailed ||= hasEnded || end.tests.some(({ outcome }) => outcome === 'failed')
      filesRun++
      memory = hasEnded ? 0 : end.memory
      const wasStopped = hasEnded && stop.isLate()
      const problem = hasEnded ? exitProblem(end, wasStopped, limit) : isComplete ? undefined : lostOutput
      return {
        result: hasEnded ? undefined : end,
        problem,
        wasStopped,
        output: streams.output(),
        seconds: (performance.now() - started) / 1000,
      }
    },
    isUsable: () => isUsable,
    memory: () => memory,
    filesRun: () => filesRun,
    async end() {
      if (child.connected) child.disconnect()
      const within = (limit: number) => Promise.race([exited, sleep(limit, undefined, { ref: false })])
      const exit = await within(endLimit)
      if (exit) {
        streams.close()
        return exit.code === 0 || hasFailed ? undefined : `ended with code ${exit.code} although no test failed`
      }
      // The process then prints what keeps it alive, unless it is stuck outside of JavaScript.
      streams.begin(randomUUID())
      child.kill('SIGTERM')
      await within(outputLimit)
      child.kill('SIGKILL')
      await streams.closed()
      streams.close()
      const files = filesRun === 1 ? 'its last test' : `the last of its ${filesRun} files`
      return `kept its process alive for ${endLimit / 1000} seconds after ${files}\n${streams.output()}`.trim()
    },
    kill: () => void child.kill('SIGKILL'),
  }
}

interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

const lostOutput = 'closed the output of its process'

function exitProblem({ code, signal }: Exit, wasStopped: boolean, limit: number): string {
  if (wasStopped) return `stopped after ${Math.round(limit / 1000)} seconds`
  return signal ? `ended by ${signal}` : `ended with code ${code} before its tests had reported`
}

function readMessages(child: ChildProcess) {
  const { promise: ready, resolve: isReady } = Promise.withResolvers<void>()
  let receive: (result: FileResult) => void = () => {}
  child.on('message', (message: WorkerResponse) => (message.kind === 'ready' ? isReady() : receive(message)))
  return { ready, next: () => new Promise<FileResult>((resolve) => (receive = resolve)) }
}

/** Milliseconds to wait for output that a process has already written. */
const outputLimit = 2_000

function readStreams(child: ChildProcess) {
  const streams = [child.stdout!, child.stderr!]
  let token: string = randomUUID()
  let output = ''
  let pending = new Set(streams)
  let whenEnded = () => {}
  for (const stream of streams) {
    let last = ''
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const seen = last + text
      last = seen.slice(-token.length)
      if (seen.includes(token)) pending.delete(stream)
      if (pending.size === 0) whenEnded()
    })
  }
  const closed = once(child, 'close').then(() => true)
  const within = (promise: Promise<unknown>) =>
    Promise.race([promise.then(() => true), sleep(outputLimit, false, { ref: false })])
  return {
    begin(next: string) {
      token = next
      output = ''
      pending = new Set(streams)
    },
    ended: () =>
      pending.size === 0 ? Promise.resolve(true) : within(new Promise<void>((resolve) => (whenEnded = resolve))),
    closed: () => within(closed),
    close: () => streams.forEach((stream) => void stream.destroy()),
    output: () => output.replaceAll(`${token}\n`, ''),
  }
}

/** Ends a process after `limit` milliseconds. Its SIGTERM handler prints what it is doing. */
function stopAfter(child: ChildProcess, limit: number) {
  let isLate = false
  const timer = setTimeout(() => {
    isLate = child.kill('SIGTERM')
    // A process stuck in an endless loop does not handle SIGTERM.
    setTimeout(() => child.kill('SIGKILL'), 2_000).unref()
  }, limit)
  return { cancel: () => clearTimeout(timer), isLate: () => isLate }
}
