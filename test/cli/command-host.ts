import { Console } from 'node:console'
import { Readable, Writable } from 'node:stream'
import { idleExitCode, type Order } from './warm-command.ts'

// Runs the command line again and again, so that most commands of the tests need not load the sources and compile the
// database's engine. Each command finds the arguments, environment, working directory and streams of a new process.

const idleLimit = 5_000

const exit = process.exit
const hostEnvironment = { ...process.env }
let idle = waitForOrder()
let count = 0

process.once('disconnect', () => exit(idleExitCode))
process.on('message', async (order: Order) => {
  clearTimeout(idle)
  process.send?.(await run(order))
  idle = waitForOrder()
})

function waitForOrder(): NodeJS.Timeout {
  return setTimeout(() => exit(idleExitCode), idleLimit)
}

async function run({ directory, args, env, input }: Order) {
  const [stdout, stderr] = [collector(), collector()]
  let code: number | undefined
  replaceStreams(stdout.stream, stderr.stream, input)
  replaceEnvironment(env)
  process.argv = [process.execPath, 'wardenry', ...args]
  process.exitCode = undefined
  process.chdir(directory)
  // The thrown error unwinds the command. What it writes afterwards would not appear, because its process has ended.
  process.exit = (given) => {
    code ??= Number(given ?? process.exitCode ?? 0)
    for (const { end } of [stdout, stderr]) end()
    throw new Error('The command has ended')
  }
  try {
    // A new name runs the file again. Everything that it imports stays loaded.
    await import(`../../src/cli/main.ts?command=${count++}`)
  } catch (error) {
    if (code === undefined) throw error
  }
  process.exit = exit
  code ??= Number(process.exitCode ?? 0)
  process.exitCode = undefined
  process.chdir('/')
  replaceEnvironment(hostEnvironment)
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

function collector() {
  const chunks: Buffer[] = []
  let hasEnded = false
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!hasEnded) chunks.push(chunk)
      done()
    },
  })
  const end = () => {
    hasEnded = true
  }
  return { stream, end, text: () => Buffer.concat(chunks).toString() }
}

function replaceStreams(stdout: Writable, stderr: Writable, input: string): void {
  const stdin = Readable.from(input === '' ? [] : [Buffer.from(input)])
  for (const [name, value] of Object.entries({ stdin, stdout, stderr }))
    Object.defineProperty(process, name, { value, configurable: true })
  globalThis.console = new Console(stdout, stderr)
}

/** Keeps the object, because `process.loadEnvFile` writes to the environment of the process. */
function replaceEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
}
