import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * A temporary directory, and a process that works in it. When this process ends for any reason, the other process is
 * terminated and the directory is removed.
 */
export interface Scratch {
  directory: string
  /** Starts a process. Only one process can run at a time. */
  start(command: string, args: string[], options?: StartOptions): Promise<BoundProcess>
  close(): Promise<void>
}

export interface StartOptions {
  env?: Record<string, string>
  cwd?: string
  /** The signal that ends the process on `close`, or when this process ends first. */
  lastSignal?: 'KILL' | 'QUIT'
}

export interface BoundProcess {
  pid: number
  /** The exit code, or 128 plus the signal number, as in a shell. */
  exited: Promise<number>
  /** Everything written to standard output and standard error so far. */
  output(): string
  stdout: Readable
  stderr: Readable
  signal(signal: NodeJS.Signals): void
  /** Sends the signal and waits for the process to end. After `limit` milliseconds, sends SIGKILL. */
  end(signal: NodeJS.Signals, limit?: number): Promise<number>
  /** Resolves when the probe returns true. Rejects with the output if the process ends first or the limit passes. */
  until(probe: () => Promise<boolean>, limit?: number): Promise<void>
}

/** The user who owns the directory and runs the process, if not the current user. */
export interface Owner {
  uid: number
  gid: number
}

export async function openScratch(name: string, owner?: Owner): Promise<Scratch> {
  const directory = await mkdtemp(join(tmpdir(), `wardenry-${name}-`))
  if (owner) await chown(directory, owner.uid, owner.gid)
  const guard = startGuard(directory)
  let running: BoundProcess | undefined
  let lastSignal: 'KILL' | 'QUIT' = 'KILL'

  return {
    directory,
    async start(command, args, options = {}) {
      running = await startBound(command, args, { ...options, ...owner })
      lastSignal = options.lastSignal ?? 'KILL'
      guard.stdin.write(`${lastSignal} ${running.pid}\n`)
      running.exited.then(() => guard.stdin.write('\n'))
      return running
    },
    async close() {
      await running?.end(`SIG${lastSignal}`)
      guard.ref()
      guard.stdin.end()
      if (guard.exitCode === null) await once(guard, 'exit')
    },
  }
}

// The guard process cleans up when its standard input closes, which happens when the parent process exits, throws or is
// killed. The guard has its own session so that Ctrl+C does not end it.
const guardScript = `
  while read -r line; do last=$line; done
  if [ -n "$last" ]; then
    set -- "$1" $last
    kill -s "$2" "$3"
    for _ in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$3" || break; sleep 0.2; done
    kill -s KILL "$3"
  fi 2>/dev/null
  rm -rf -- "$1"`

function startGuard(directory: string) {
  const guard = spawn('/bin/sh', ['-c', guardScript, 'guard', directory], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  guard.stdin.on('error', () => {})
  guard.unref()
  unref(guard.stdin)
  return guard
}

async function startBound(
  command: string,
  args: string[],
  options: StartOptions & Partial<Owner>,
): Promise<BoundProcess> {
  const { env, cwd, uid, gid } = options
  const child = spawn(command, args, { env, cwd, uid, gid, stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = new Promise<number>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal!]))
  })
  await once(child, 'spawn')

  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    unref(stream)
  }
  return boundProcess(child, exited, () => output)
}

function boundProcess(child: ChildProcess, exited: Promise<number>, output: () => string): BoundProcess {
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  return {
    pid: child.pid!,
    exited,
    output,
    stdout: child.stdout!,
    stderr: child.stderr!,
    signal: (signal) => void child.kill(signal),
    async end(signal, limit = 20_000) {
      if (hasEnded()) return exited
      child.ref()
      child.kill(signal)
      const late = setTimeout(() => child.kill('SIGKILL'), limit)
      const code = await exited
      clearTimeout(late)
      return code
    },
    async until(probe, limit = 60_000) {
      const end = performance.now() + limit
      while (!(await probe())) {
        if (hasEnded()) throw new Error(`${child.spawnfile} ended with code ${await exited}:\n${output()}`)
        if (performance.now() > end) throw new Error(`${child.spawnfile} is not ready after ${limit} ms:\n${output()}`)
        await sleep(20)
      }
      // The guard must not keep this process alive: a test that does not stop its server must still end. The guard then
      // cleans up.
      child.unref()
    },
  }
}

function unref(stream: Readable | Writable): void {
  ;(stream as Socket).unref()
}
