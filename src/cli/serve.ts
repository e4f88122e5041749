import cluster from 'node:cluster'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createSetupLink } from '../admin/setup-link.ts'
import { type App, createApp } from '../app.ts'
import { ConfigError } from '../config/load.ts'
import { assertUsable, UnusableDatabase } from '../db/installation-marks.ts'
import { second } from '../lib/time.ts'
import { problemWithoutPasswords } from '../sign-in-methods/locked-out.ts'
import { banner, notices, setupLines } from './banner.ts'
import { examineDirectory } from './doctor/directory.ts'
import type { CommandEnvironment } from './environment.ts'
import { fail } from './fail.ts'
import { endAtOnce, onHangup, onStopSignal, onSupervisorEnd } from './stop-signal.ts'
import { announceRequest } from './workers/supervise.ts'

export async function serve(surroundings: CommandEnvironment): Promise<void> {
  let app: App | undefined
  const shouldAnnounce = whenToAnnounce()
  const stop = stopOnSignal(surroundings, () => app)
  onHangup(() => surroundings.log.warn('SIGHUP is ignored: it replaces workers, and WORKERS is 1'))
  try {
    app = await createApp(surroundings)
    surroundings.logOutput.onDrop(app.ctx.metrics.logLineDropped)
    await assertSomebodyCanSignIn(app)
    await listen(app)
    watchMarks(app, (error) => {
      surroundings.log.fatal({ err: error }, 'the database must not be used any more')
      stop(1)
    })
    await shouldAnnounce
    await announce(app, surroundings)
  } catch (error) {
    await app?.stop().catch(() => {})
    fail(error, error instanceof ConfigError ? 78 : 1)
  }
}

/** The commands do not check this, because they repair it. */
async function assertSomebodyCanSignIn({ ctx }: App): Promise<void> {
  const problem = await problemWithoutPasswords(ctx, ctx.config)
  if (problem) throw new ConfigError([problem])
}

async function listen({ http, ctx, database }: App): Promise<void> {
  const { HOST: host, PORT: port } = ctx.config
  await http.ready()
  releaseStartMemory()
  await http.listen({ host, port }).catch((error) => {
    throw hostProblems.has(error.code) ? new Error(noAddress(host), { cause: error }) : error
  })
  ctx.log.info({ host, port, database: database.kind }, 'listening')
}

const hostProblems = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'])

const noAddress = (host: string) =>
  `HOST=${host} is not an address of this machine: use 127.0.0.1, or 0.0.0.0 for all IPv4 addresses, or :: for all addresses`

const marksIntervalMs = 5 * second

/** Stops a node that keeps running after a move or restore, because it would serve outdated data. */
function watchMarks({ ctx, database }: App, onUnusable: (error: Error) => void): void {
  if (database.kind === 'embedded') return
  const timer = setInterval(() => {
    assertUsable(ctx.db).catch((error) => {
      if (!(error instanceof UnusableDatabase)) return
      clearInterval(timer)
      onUnusable(error)
    })
  }, marksIntervalMs).unref()
}

/** With several workers, only the one selected by the supervisor announces the service. */
function whenToAnnounce(): Promise<void> {
  if (!cluster.isWorker) return Promise.resolve()
  return new Promise((resolve) => process.on('message', (message) => message === announceRequest && resolve()))
}

/** In production, standard output contains only log lines, so the setup link goes to standard error. */
async function announce({ ctx }: App, { config, log }: CommandEnvironment): Promise<void> {
  const directory = examineDirectory(config)
  if (directory.state !== 'ok') log.warn(directory.text)
  const setupLink = await createSetupLink(ctx)
  if (!config.isProduction) return void process.stdout.write(banner(ctx.config, setupLink))
  for (const notice of notices(config)) log.warn(notice)
  process.stderr.write(
    setupLines(setupLink)
      .map((line) => `${line}\n`)
      .join(''),
  )
}

function stopOnSignal(surroundings: CommandEnvironment, running: () => App | undefined): (code: 0 | 1) => void {
  let isStopping = false
  const stop = (code: 0 | 1) => {
    if (isStopping) return
    isStopping = true
    const app = running()
    // Startup can be interrupted at any step because the next startup completes it.
    if (app) shutDown(app, surroundings, code)
    else process.exit(code)
  }
  onStopSignal(() => stop(0))
  onSupervisorEnd(() => {
    surroundings.log.error('the main process has ended: this worker stops')
    stop(1)
  })
  process.on('uncaughtException', (error) => {
    // The process is in an unknown state. It finishes its requests and exits, and a supervisor restarts it.
    surroundings.log.fatal({ err: error }, 'uncaught error')
    stop(1)
  })
  return stop
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

type Collect = (options: { type: 'major'; flavor: 'last-resort' }) => void

/** Frees about 15 MB of memory needed only during startup. V8 provides `gc` only if a flag is set. */
function releaseStartMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('globalThis.gc') as Collect | undefined
  setFlagsFromString('--no-expose-gc')
  // Without a pending callback, V8 drops a hidden class here, making process.nextTick ten times slower.
  process.nextTick(() => {})
  collect?.({ type: 'major', flavor: 'last-resort' })
}
