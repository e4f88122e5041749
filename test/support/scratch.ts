import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

/** A temporary directory and the process that works in it. Both are gone when this process is, however it ends. */
export interface Scratch {
  directory: string
  /** One process at a time. */
  start(command: string, args: string[], options?: StartOptions): Promise<BoundProcess>
  close(): Promise<void>
}

export interface StartOptions {
  env?: Record<string, string>
  cwd?: string
  /** What ends the process at the close, and when this process dies first. */
  lastSignal?: 'KILL' | 'QUIT'
}

export interface BoundProcess {
  pid: number
  /** The exit code; 128 plus the number of the signal that ended it, as a shell counts. */
  exited: Promise<number>
  /** Everything written to standard output and standard error so far. */
  output(): string
  stdout: Readable
  stderr: Readable
  signal(signal: NodeJS.Signals): void
  /** Sends the signal and waits for the end, which SIGKILL brings about after `limit` milliseconds. */
  end(signal: NodeJS.Signals, limit?: number): Promise<number>
  /** Resolves when the probe says true; rejects with the output when the process ends first or the limit passes. */
  until(probe: () => Promise<boolean>, limit?: number): Promise<void>
}

/** Who owns the directory and runs the process, when that is somebody else than we are. */
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

// The pipe closes with the process that holds its other end, whether that one returns, throws or is killed. In a
// session of its own the guard survives the interrupt key, and there is only one way in which anything is cleaned up.
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
      // A test that forgets to stop its server must end all the same; the guard does the rest.
      child.unref()
    },
  }
}

function unref(stream: Readable | Writable): void {
  ;(stream as Socket).unref()
}
