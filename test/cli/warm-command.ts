import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { forShortRuns } from '../support/node-options.ts'

/** A command for the process that runs `command-host.ts`. */
export interface Order {
  directory: string
  args: string[]
  env: NodeJS.ProcessEnv
  input: string
}

export interface Finished {
  code: number
  stdout: string
  stderr: string
}

export const idleExitCode = 0

let host: ChildProcess | undefined
let last: Promise<unknown> = Promise.resolve()

/**
 * Runs a command in a process that has run others before. This takes a fraction of the time, but shows neither signals
 * nor what keeps a process from ending. Commands that were requested at the same time run one after the other.
 */
export function runWarm(order: Order): Promise<Finished> {
  const finished = last.then(() => ask(order))
  last = finished.catch(() => {})
  return finished
}

async function ask(order: Order): Promise<Finished> {
  const asked = host?.connected ? host : startHost(order.env)
  const settled = new AbortController()
  const { signal } = settled
  asked.channel?.ref()
  asked.send(order, () => {})
  const [answer] = await Promise.race([once(asked, 'message', { signal }), once(asked, 'exit', { signal })]).finally(
    () => {
      settled.abort()
      asked.channel?.unref()
    },
  )
  if (typeof answer === 'object' && answer !== null) return answer
  // It ended because it had been idle, before it received this command.
  if (answer === idleExitCode) return ask(order)
  throw new Error(`The process ended with code ${answer} during: ${order.args.join(' ')}`)
}

function startHost(env: NodeJS.ProcessEnv): ChildProcess {
  const { PATH, NODE_COMPILE_CACHE } = env
  const started = fork(join(import.meta.dirname, 'command-host.ts'), {
    cwd: '/',
    env: { PATH, NODE_COMPILE_CACHE },
    execArgv: [...forShortRuns],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  // It ends with this process, which need not wait for it.
  started.unref()
  host = started
  return started
}
