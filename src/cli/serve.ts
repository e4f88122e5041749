import { createSetupLink } from '../admin/setup-link.ts'
import { type App, createApp } from '../app.ts'
import { ignoreErrors } from '../lib/log-output.ts'
import { second } from '../lib/time.ts'
import { banner, notices, setupLines } from './banner.ts'
import { examineDirectory } from './doctor/directory.ts'
import { readEnvironment, type Surroundings } from './environment.ts'
import { fail } from './fail.ts'
import { releaseStartMemory } from './release-memory.ts'

/** `wardenry start`: config → lock → database → migrations → routes → listen; SIGTERM undoes it in order. */
export async function serve(): Promise<void> {
  // The banner and warnings of Node.js go there: that nobody reads them must not end the service.
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

/** Developers get a banner. In production standard output holds log lines alone, and only what is wrong is said. */
async function announce({ ctx, database }: App, { config, log }: Surroundings): Promise<void> {
  const directory = examineDirectory(config)
  if (directory.state !== 'ok') log.warn(directory.text)
  const setupLink = await createSetupLink(ctx)
  if (!config.isProduction) return void process.stdout.write(banner(config, { setupLink, database: database.kind }))
  for (const notice of notices(config, database.kind)) log.warn(notice)
  process.stderr.write(
    setupLines(setupLink)
      .map((line) => `${line}\n`)
      .join(''),
  )
}

function stopOnSignal(surroundings: Surroundings, running: () => App | undefined): void {
  let stopping = false
  const stop = (code: 0 | 1) => {
    // Whoever asks twice is in a hurry. It may also be npm, which passes on what the terminal has already sent.
    if (stopping) return void setTimeout(endAtOnce, second / 4)
    stopping = true
    const app = running()
    // A start can be killed at any step and repeated.
    if (app) shutDown(app, surroundings, code)
    else process.exit(code)
  }
  process.on('SIGTERM', () => stop(0))
  process.on('SIGINT', () => stop(0))
  process.on('uncaughtException', (error) => {
    // After this nobody knows what state is left: finish what runs, and let the supervisor start a fresh process.
    surroundings.log.fatal({ err: error }, 'an error that nothing caught')
    stop(1)
  })
}

function shutDown(app: App, { config, log }: Surroundings, code: 0 | 1): void {
  log.info('stopping')
  const deadline = setTimeout(() => {
    log.warn('requests were still running when the time to stop was over')
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

/** `process.exit` would wait for the password hashes that are being computed. */
const endAtOnce = () => process.kill(process.pid, 'SIGKILL')
