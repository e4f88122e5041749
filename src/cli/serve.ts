import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createSetupLink } from '../admin/setup-link.ts'
import { type App, createApp } from '../app.ts'
import { ignoreErrors } from '../lib/log-output.ts'
import { second } from '../lib/time.ts'
import { banner, notices, setupLines } from './banner.ts'
import { examineDirectory } from './doctor/directory.ts'
import { type CommandEnvironment, readEnvironment } from './environment.ts'
import { fail } from './fail.ts'

export async function serve(): Promise<void> {
  // A closed output stream must not end the service.
  for (const stream of [process.stdout, process.stderr]) ignoreErrors(stream)
  const surroundings = await readEnvironment('service')
  let app: App | undefined
  stopOnSignal(surroundings, () => app)
  try {
    app = await createApp(surroundings)
    surroundings.logOutput.onDrop(app.ctx.metrics.logLineDropped)
    await listen(app)
    await announce(app, surroundings)
  } catch (error) {
    await app?.stop().catch(() => {})
    fail(error)
  }
}

async function listen({ http, ctx, database }: App): Promise<void> {
  const { HOST: host, PORT: port } = ctx.config
  await http.ready()
  releaseStartMemory()
  await http.listen({ host, port })
  ctx.log.info({ host, port, database: database.kind }, 'listening')
}

/** In production, standard output contains log lines only, and warnings go to standard error. */
async function announce({ ctx }: App, { config, log }: CommandEnvironment): Promise<void> {
  const directory = examineDirectory(config)
  if (directory.state !== 'ok') log.warn(directory.text)
  const setupLink = await createSetupLink(ctx)
  if (!config.isProduction) return void process.stdout.write(banner(config, setupLink))
  for (const notice of notices(config)) log.warn(notice)
  process.stderr.write(
    setupLines(setupLink)
      .map((line) => `${line}\n`)
      .join(''),
  )
}

function stopOnSignal(surroundings: CommandEnvironment, running: () => App | undefined): void {
  let stopping = false
  const stop = (code: 0 | 1) => {
    // A second signal kills the process, but only after 250 ms, because npm may repeat the first signal.
    if (stopping) return void setTimeout(endAtOnce, second / 4)
    stopping = true
    const app = running()
    // Startup can be interrupted at any step, because the next startup repeats it.
    if (app) shutDown(app, surroundings, code)
    else process.exit(code)
  }
  process.on('SIGTERM', () => stop(0))
  process.on('SIGINT', () => stop(0))
  process.on('uncaughtException', (error) => {
    // After an uncaught error, the state of the process is unknown. The process finishes the running requests and
    // exits, and the supervisor restarts it.
    surroundings.log.fatal({ err: error }, 'uncaught error')
    stop(1)
  })
}

function shutDown(app: App, { config, log }: CommandEnvironment, code: 0 | 1): void {
  log.info('stopping')
  const deadline = setTimeout(() => {
    log.warn('requests were still running when SHUTDOWN_TIMEOUT ended')
    endAtOnce()
  }, config.SHUTDOWN_TIMEOUT)
  app.stop().then(
    () => {
      clearTimeout(deadline)
      log.info('stopped')
      process.exit(code)
    },
    (error) => {
      log.error({ err: error }, 'stopping failed')
      process.exit(1)
    },
  )
}

/** `process.exit` would wait for running password hashes. */
const endAtOnce = () => process.kill(process.pid, 'SIGKILL')

type Collect = (options: { type: 'major'; flavor: 'last-resort' }) => void

/** Frees about 15 MB that is needed only during startup. V8 exposes this only through a flag. */
function releaseStartMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('globalThis.gc') as Collect | undefined
  setFlagsFromString('--no-expose-gc')
  // If no callback waits during the collection, V8 drops a hidden class and process.nextTick becomes ten times slower.
  process.nextTick(() => {})
  collect?.({ type: 'major', flavor: 'last-resort' })
}
