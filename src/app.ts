import type { Inbox } from './adapters/inbox/inbox.ts'
import type { RedisConnection } from './adapters/redis/connect.ts'
import { openTelemetry } from './adapters/tracing/open.ts'
import { createConfiguredAdmin } from './admin/first-admin.ts'
import { rollUpActivity } from './admin/roll-up-activity.ts'
import { recordAudit } from './audit/record.ts'
import { watchDatabase, watchDependency } from './audit/watch-dependency.ts'
import type { Config } from './config/load.ts'
import type { Context } from './context.ts'
import { createContext, type StandIns } from './create-context.ts'
import { createHttp } from './create-http.ts'
import type { Database } from './db/connect.ts'
import { bringUpToDate, openDatabase } from './db/open-database.ts'
import { describeUnsuitable, findUnsuitable } from './db/session-settings.ts'
import { mailNewAddress, newAddressJob } from './email-addresses/mail-new-address.ts'
import { resendJob, resendVerification } from './email-addresses/send-verification.ts'
import { shutdownTimes, stopListening } from './http/server/stop-listening.ts'
import type { HttpServer } from './http/server/types.ts'
import { installAtStart } from './hub/auto-install.ts'
import type { LoadedModule, ModuleDefinition } from './hub/define-module.ts'
import type { Hub } from './hub/hub.ts'
import { loadModules } from './hub/load-modules.ts'
import { startJobs } from './jobs/start.ts'
import type { Logger } from './lib/log.ts'
import { minute } from './lib/time.ts'
import { allModules } from './modules/external.ts'
import { recoveryCodeJob, sendRecoveryCode } from './passkeys/recovery/send-code.ts'
import { registrationCodeJob, sendRegistrationCode } from './passkeys/registration/send-code.ts'
import { sendLogin, sendLoginJob } from './passwordless/send-login.ts'
import { resetJob, sendReset } from './passwords/request-reset.ts'
import { endOfApplicationsJob, endSessionsOfApplications } from './sessions/end-of-applications.ts'
import { assertSameRelyingParty } from './webauthn/former-relying-party.ts'
import { resealWebhooks } from './webhooks/reseal-secrets.ts'
import { startWebhooks } from './webhooks/start.ts'

export interface AppOptions extends StandIns {
  config: Config
  log: Logger
  database?: Database
  shipped?: readonly ModuleDefinition[]
}

export interface App {
  ctx: Context
  http: HttpServer
  database: Database
  hub: Hub
  inbox: Inbox | undefined
  /** Makes the readiness check fail, waits for running requests, and then closes everything. */
  stop(): Promise<void>
}

export async function createApp(options: AppOptions): Promise<App> {
  const { config, log } = options
  const closers: (() => unknown)[] = []
  const closeAll = async () => {
    for (const close of closers.toReversed()) await close()
  }
  try {
    const telemetry = await openTelemetry(config, log)
    if (telemetry) closers.push(() => telemetry.close())
    const database = options.database ?? (await openDatabase(config, log, { tracing: telemetry?.tracing }))
    closers.push(() => database.close())
    const applied = await bringUpToDate(config, log, database)
    await assertSameRelyingParty(database.db, config)
    for (const setting of await findUnsuitable(database.query)) log.warn({ setting }, describeUnsuitable(setting))
    const modules = loadModules(options.shipped ?? (await allModules(config)))
    const { ctx, installed, inbox, redis } = await createContext({ ...options, database, modules, telemetry }, closers)
    await recordStart(ctx, applied)
    const hub = { installed, exclusive: database.exclusive, isLocked: database.isLocked }
    await installAtStart(ctx, hub)
    for (const watch of watchDependencies(ctx, database, redis)) closers.push(watch.stop)
    await createConfiguredAdmin(ctx)

    const jobs = await startJobs(ctx, database, {
      queuedJobs: { ...queuedJobs, ...joined(modules.map((module) => module.queuedJobs)) },
      cleanupJobs: () =>
        joined([
          { webhook_secrets: resealWebhooks },
          ...modules.filter(({ id }) => ctx.modules.isInstalled(id)).map(({ cleanupJobs }) => cleanupJobs),
        ]),
      scheduledJobs: [...coreScheduledJobs, ...scheduledJobsOf(ctx, modules)],
    })
    closers.push(() => jobs.stop())
    ctx.outbox = jobs
    const webhooks = startWebhooks(ctx)
    closers.push(() => webhooks.stop())
    const state = { accepting: false }
    const http = await createHttp(ctx, database, inbox, { hub, jobs, redis, state })
    await ctx.applications.whenCurrent()
    state.accepting = true
    const stop = async () => {
      state.accepting = false
      await stopListening(http, shutdownTimes(config))
      await http.close()
      await closeAll()
    }
    return { ctx, http, database, hub, inbox, stop }
  } catch (error) {
    await closeAll().catch(() => {})
    throw error
  }
}

const queuedJobs = {
  [resendJob]: resendVerification,
  [sendLoginJob]: sendLogin,
  [resetJob]: sendReset,
  [newAddressJob]: mailNewAddress,
  [registrationCodeJob]: sendRegistrationCode,
  [recoveryCodeJob]: sendRecoveryCode,
  [endOfApplicationsJob]: async (ctx: Context) => void (await endSessionsOfApplications(ctx)),
}

const coreScheduledJobs = [{ every: minute, run: rollUpActivity, isWanted: () => true }]

const scheduledJobsOf = ({ config, modules: state }: Context, modules: readonly LoadedModule[]) =>
  modules.flatMap(({ id, scheduledJobs = {} }) =>
    Object.values(scheduledJobs).map(({ every, run }) => ({
      every: every(config),
      run,
      isWanted: () => state.isInstalled(id) && state.isEnabled(id),
    })),
  )

const joined = <Entry>(parts: (Readonly<Record<string, Entry>> | undefined)[]): Record<string, Entry> =>
  Object.assign({}, ...parts)

const watchDependencies = (ctx: Context, database: Database, redis: RedisConnection | undefined) => [
  watchDatabase(ctx, database),
  ...(redis ? [watchDependency(ctx, 'redis', async () => redis.isUp())] : []),
]

async function recordStart(ctx: Context, applied: string[]): Promise<void> {
  if (applied.length > 0) await recordAudit(ctx, { event: 'migration_applied', details: { files: applied } })
  await recordAudit(ctx, { event: 'config_loaded', details: { mode: ctx.config.NODE_ENV } })
}
