import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../../test/support/find-program.ts'
import type { ResponseMessage } from './calls.ts'

/** A child process that is pinned to specific cores and handles calls. It exits when this process does. */
export interface PinnedProcess {
  pid: number
  ask<Value = void>(name: string, input?: unknown): Promise<Value>
  output(): string
  stop(): Promise<void>
}

const taskset = availableParallelism() > 1 ? findProgram(['taskset']) : undefined

/** The measured process has core 0 to itself. The load generator and the database share core 1. */
export const cores = { measured: '0', others: '1', all: `0-${availableParallelism() - 1}` } as const
export type Cores = (typeof cores)[keyof typeof cores]
export const isPinned = taskset !== undefined

export function startPinned(
  file: string,
  core: Cores,
  env: Record<string, string> = {},
  args: string[] = [],
): PinnedProcess {
  const node = ['--import', join(import.meta.dirname, 'probe.ts')]
  const child = fork(file, args, {
    execPath: taskset ?? process.execPath,
    execArgv: taskset ? ['-c', core, process.execPath, ...node] : node,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const output = collectOutput(child)
  const { ask, fail } = callsTo(child)
  child.once('exit', (code, signal) => fail(new Error(`${file} ended with ${code ?? signal}:\n${output()}`)))
  child.once('error', fail)
  return {
    pid: child.pid ?? 0,
    ask,
    output,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), 20_000)
      await once(child, 'exit')
      clearTimeout(late)
    },
  }
}

function collectOutput(child: ChildProcess): () => string {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-20_000)
    })
  }
  return () => output
}

function callsTo(child: ChildProcess) {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let count = 0
  let ended: Error | undefined
  child.on('message', (answer: ResponseMessage) => {
    const caller = waiting.get(answer.id)
    waiting.delete(answer.id)
    if ('error' in answer) caller?.reject(new Error(answer.error))
    else caller?.resolve(answer.value)
  })
  return {
    ask: <Value>(name: string, input?: unknown) =>
      new Promise<Value>((resolve, reject) => {
        if (ended) return reject(ended)
        const id = ++count
        waiting.set(id, { resolve: resolve as (value: unknown) => void, reject })
        child.send({ id, name, input }, (error) => error && reject(error))
      }),
    fail(error: Error) {
      ended = error
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    },
  }
}
