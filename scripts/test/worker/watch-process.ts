import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { cpuSeconds } from '../cpu-seconds.ts'

/** The state of the process before a file runs. */
interface Before {
  resources: Map<string, number>
  env: NodeJS.ProcessEnv
  listeners: Map<string | symbol, unknown[]>
  globals: Map<string, PropertyDescriptor>
  directory: string
  cpu: number
}

/** Checks that a test file leaves nothing behind that would affect the next file. Undoes changes where possible. */
export interface ProcessWatch {
  begin(): Before
  /** Waits until the file's resources are closed, at most `settleLimit` milliseconds, and returns all problems. */
  end(before: Before, options: { settleLimit: number; isOwnProcess: boolean }): Promise<string[]>
  cpuSince(before: Before): number
}

export function watchProcess(): ProcessWatch {
  const children = new Set<ChildProcess>()
  subscribe('child_process', (message) => {
    const { process: child } = message as { process: ChildProcess }
    children.add(child)
    child.once('exit', () => children.delete(child))
    // Without a process, for example because the program does not exist, there is no `exit` event.
    child.once('error', () => child.pid === undefined && children.delete(child))
  })
  // A child process with a channel ends when this process does. While it is in use, it is an active resource.
  const orphans = () => [...children].filter((child) => !child.channel)
  // The test runner reports these errors as failures of the running test, but only if a test is running.
  const errors: unknown[] = []
  process.on('uncaughtException', (error) => errors.push(error))
  process.on('unhandledRejection', (reason) => errors.push(reason))

  return {
    begin: stateOf,
    async end(before, { settleLimit, isOwnProcess }) {
      const left = await settled(() => [...newResources(before), ...orphans().map(describeChild)], settleLimit)
      for (const child of orphans()) child.kill('SIGKILL')
      children.clear()
      return [
        ...left.map((resource) => `left behind: ${resource}`),
        ...errors.splice(0).map((error) => `raised an error that nothing caught: ${inspect(error)}`),
        ...(isOwnProcess ? [] : restored(before)),
      ]
    },
    cpuSince: ({ cpu }) => cpuSeconds() - cpu,
  }
}

const restored = (before: Before): string[] => [
  ...restoreEnvironment(before),
  ...restoreListeners(before),
  ...restoreGlobals(before),
  ...restoreDirectory(before),
]

function stateOf(): Before {
  return {
    resources: counted(process.getActiveResourcesInfo()),
    env: { ...process.env },
    listeners: new Map(process.eventNames().map((name) => [name, process.rawListeners(name as 'exit')])),
    globals: globalProperties(),
    directory: process.cwd(),
    cpu: cpuSeconds(),
  }
}

/** Checks again and again until nothing is left, because sockets and processes take a moment to close. */
async function settled(leftovers: () => string[], limit: number): Promise<string[]> {
  const deadline = performance.now() + limit
  for (let pause = 1; leftovers().length > 0 && performance.now() < deadline; pause = Math.min(pause * 2, 50))
    await sleep(pause, undefined, { ref: false })
  return leftovers()
}

function newResources({ resources }: Before): string[] {
  return [...counted(process.getActiveResourcesInfo())]
    .filter(([name, count]) => count > (resources.get(name) ?? 0))
    .map(([name, count]) => `${count - (resources.get(name) ?? 0)} × ${name}`)
}

function counted(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

const describeChild = ({ pid, spawnargs }: ChildProcess): string =>
  `process ${pid} (${spawnargs.join(' ').slice(0, 100)})`

/** The library that processes pictures sets this variable when it is loaded. */
const setByLibvips = 'VIPSHOME'

function restoreEnvironment({ env }: Before): string[] {
  const names = new Set([...Object.keys(env), ...Object.keys(process.env)])
  const changed = [...names].filter((name) => name !== setByLibvips && process.env[name] !== env[name])
  for (const name of changed) {
    if (env[name] === undefined) delete process.env[name]
    else process.env[name] = env[name]
  }
  return changed.map((name) => `changed the environment variable ${name}`)
}

/** `exit` is allowed, because such a listener cannot affect files that run later. It removes temporary directories. */
function restoreListeners({ listeners }: Before): string[] {
  const names = process.eventNames().filter((name) => name !== 'exit')
  return names.flatMap((name) => {
    const known = listeners.get(name) ?? []
    const added = process.rawListeners(name as 'exit').filter((listener) => !known.includes(listener))
    for (const listener of added) process.removeListener(name, listener as () => void)
    return added.length > 0 ? [`added a listener of the process for ${String(name)}`] : []
  })
}

/** Packages store their own state under names that begin with underscores when they are loaded. */
const ofPackage = /^__/

function restoreGlobals({ globals }: Before): string[] {
  const current = globalProperties()
  const names = [...new Set([...globals.keys(), ...current.keys()])].filter((name) => !ofPackage.test(name))
  const changed = names.filter((name) => !isSame(globals.get(name), current.get(name)))
  for (const name of changed) {
    Reflect.deleteProperty(globalThis, name)
    const former = globals.get(name)
    if (former) Object.defineProperty(globalThis, name, former)
  }
  return changed.map((name) => `changed the global ${name}`)
}

/** Accessors are not called, because Node.js defines some globals on first use. */
const globalProperties = (): Map<string, PropertyDescriptor> =>
  new Map(Object.entries(Object.getOwnPropertyDescriptors(globalThis)))

const isSame = (one?: PropertyDescriptor, other?: PropertyDescriptor): boolean =>
  Object.is(one?.value, other?.value) && one?.get === other?.get

function restoreDirectory({ directory }: Before): string[] {
  const isChanged = process.cwd() !== directory
  if (isChanged) process.chdir(directory)
  const hasExitCode = process.exitCode !== undefined
  process.exitCode = undefined
  return [...(isChanged ? ['changed the working directory'] : []), ...(hasExitCode ? ['set the exit code'] : [])]
}
