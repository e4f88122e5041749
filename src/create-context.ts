import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createBus } from './adapters/bus/index.ts'
import { createRedisCache } from './adapters/cache/redis.ts'
import { createGuardedFetch } from './adapters/fetch/node.ts'
import type { GuardedFetch } from './adapters/fetch/port.ts'
import { type FilePlace, openFiles } from './adapters/files/index.ts'
import { openInbox } from './adapters/inbox/inbox.ts'
import { createMailer } from './adapters/mail/index.ts'
import { createMetrics } from './adapters/metrics/prometheus.ts'
import { createRateLimitStore } from './adapters/rate-limit/index.ts'
import { openRedis, type RedisConnection } from './adapters/redis/connect.ts'
import { createSmsSender } from './adapters/sms/index.ts'
import type { Telemetry } from './adapters/tracing/port.ts'
import { tracedMailer, tracedRedis } from './adapters/tracing/traced-clients.ts'
import { createUsageWriter } from './admin/usage-writer.ts'
import { watchApplications } from './applications/registry.ts'
import { commandLine, recordAudit } from './audit/record.ts'
import { decodeKey } from './config/decode-key.ts'
import type { Config, FixedConfig } from './config/load.ts'
import type { Context, CoreContext, Credentials, SecondFactor, Transaction } from './context.ts'
import { createCredentials, noCredentials } from './credentials/create-credentials.ts'
import { startDatabaseClock } from './db/clock.ts'
import type { Database } from './db/connect.ts'
import { installationId } from './db/installation-facts.ts'
import { rawQuery } from './db/run-text.ts'
import type { LoadedModule } from './hub/define-module.ts'
import { watchInstalled } from './hub/installed.ts'
import { activeSecondFactor, noSecondFactor } from './hub/second-factor.ts'
import { sha256 } from './lib/hash.ts'
import type { Logger } from './lib/log.ts'
import { type Clock, second, serviceClock } from './lib/time.ts'
import { createHasher, tracedHasher } from './passwords/hash.ts'
import { sampleImportedHashes } from './passwords/imported/queries.ts'
import { corePersonalData } from './profile/personal-data.ts'
import { watchApplicationRoles } from './roles/watch-application-roles.ts'
import { watchStaffRoles } from './roles/watch-roles.ts'
import { createBinding } from './sessions/binding.ts'
import { createLastUseWriter } from './sessions/last-use-writer.ts'
import { startRevocationFeed } from './sessions/revocation-feed.ts'
import { createSessionCache } from './sessions/session-cache.ts'
import { createSessionReader } from './sessions/session-reader.ts'
import { socialPersonalData } from './social/identities.ts'
import { watchSettings } from './stored-settings/watch.ts'

export interface ContextOptions extends StandIns {
  config: Config
  log: Logger
  database: Database
  modules: readonly LoadedModule[]
  telemetry?: Telemetry | undefined
}

export interface StandIns {
  clock?: Clock
  secondFactor?: SecondFactor
  fetch?: GuardedFetch
}

/** Appends a closing function to `closers` for each opened resource. */
export async function createContext(options: ContextOptions, closers: (() => unknown)[]) {
  const { log, database, telemetry } = options
  const config: FixedConfig = options.config
  const tracing = telemetry?.tracing
  const node = randomBytes(6).toString('hex')
  const warn = (what: string) => (error: unknown) => log.warn({ err: error }, what)
  const metrics = await createMetrics()
  closers.push(() => metrics.close())
  metrics.connections(database.connections)
  telemetry?.exportMetrics(metrics.read)
  telemetry?.onSpansDropped(metrics.spansDropped)
  const clock = serviceClock(options.clock ?? (await startClock(database, metrics, closers)))
  const redis = config.REDIS_URL
    ? tracedRedis(await connectRedis(config, await installationId(database.db), log, metrics), tracing)
    : undefined
  if (redis) closers.push(() => redis.close())
  const bus = await createBus({
    redis,
    postgres: postgresBus(database),
    nodeId: node,
    onError: warn('lost a message between nodes'),
  })
  closers.push(() => bus.close())
  const settings = await watchSettings(options.config, { db: database.db, log, bus })
  closers.push(() => settings.stop())
  const inbox = config.isProduction
    ? undefined
    : openInbox(config.NODE_ENV === 'test' ? undefined : join(config.DATA_DIR, 'inbox.jsonl'))
  const mailer = await createMailer({
    smtpUrl: config.SMTP_URL,
    from: () => senderOf(settings.current()),
    inbox,
    log,
    onSmtpError: metrics.smtpError,
  })
  closers.push(() => mailer.close())
  const installed = await watchInstalled(
    { config, log, bus, db: database.db, isOn: (name) => settings.current()[name] },
    options.modules,
  )
  closers.push(() => installed.stop())
  const usage = createUsageWriter(database.db, clock, log)
  closers.push(() => usage.stop())
  const staff = await watchStaffRoles(
    { db: database.db, log, bus, config },
    options.modules.flatMap(({ permissions }) => permissions ?? []),
  )
  closers.push(() => staff.stop())
  const base = {
    config,
    settings,
    log,
    clock,
    metrics,
    tracing,
    db: database.db,
    bus,
    sharedCache: redis && createRedisCache(redis),
    rateLimits: createRateLimitStore({
      redis,
      query: rawQuery(database.db),
      onDown: warn('rate limits are counted by this node only'),
    }),
    mailer: tracedMailer(mailer, tracing),
    sms: createSmsSender({ webhook: smsWebhook(config, clock), twilio: twilioAccount(config), inbox }),
    fetch: options.fetch ?? createGuardedFetch(),
    files: await openFiles(filePlace(config), metrics.storageError),
    passwords: tracedHasher(
      createHasher(config, metrics, () => sampleImportedHashes(database.db, 50)),
      tracing,
    ),
    modules: installed,
    staff,
    personalData: () => [...corePersonalData, socialPersonalData, ...installed.personalData()],
    voidModuleLinks: () => installed.voidLinks(ctx),
    endModuleCredentials: () => installed.endCredentials(ctx),
    endWithSessions: (tx: Transaction, userIds: readonly string[], ending: { reason: string }) =>
      installed.sessionsEnded(tx, userIds, ending),
    secondFactor: options.secondFactor ?? noSecondFactor,
    outbox: { wake: () => {} },
    usage,
    dataKeys: config.DATA_KEYS.map(({ name, value }) => ({ id: name, key: decodeKey(value) ?? Buffer.alloc(0) })),
    node,
  }
  const revocations = await startRevocationFeed({ connect: database.listen, log })
  closers.push(() => revocations.stop())
  const sessions = createSessionCache({
    ...base,
    rows: createSessionReader(base),
    uses: createLastUseWriter(database.db, clock, log),
    revocations,
  })
  closers.push(() => sessions.stop())
  const applications = watchApplications({ db: database.db, log, sessions })
  closers.push(() => applications.stop())
  const applicationRoles = await watchApplicationRoles({ db: database.db, log, sessions })
  closers.push(() => applicationRoles.stop())
  const core: CoreContext = {
    ...base,
    sessions,
    applications,
    credentials: noCredentials,
    applicationRoles,
    binding: createBinding(base),
    get config() {
      return settings.current()
    },
  }
  const ctx = core as Context
  if (!options.secondFactor) ctx.secondFactor = activeSecondFactor(ctx, options.modules)
  ctx.credentials = credentialsOf(ctx, options.modules)
  for (const module of options.modules) module.prepare?.(ctx, options.modules)
  database.beforeCopy(() => recordAudit(ctx, { event: 'backup_started', actor: commandLine }))
  return { ctx, installed, inbox, redis }
}

function credentialsOf(ctx: Context, modules: readonly LoadedModule[]): Credentials {
  const provided = modules.flatMap((module) => {
    const provider = module.credentials?.(ctx)
    return provider ? [{ provider, gate: { id: module.id, component: 'core' } }] : []
  })
  const gates = new Map(provided.map(({ provider, gate }) => [provider.kind, gate]))
  return createCredentials({
    ...ctx,
    providers: provided.map(({ provider }) => provider),
    isAvailable(kind) {
      const gate = gates.get(kind)
      return gate !== undefined && ctx.modules.rejectionOf(gate) === undefined
    },
  })
}

async function startClock(database: Database, metrics: Context['metrics'], closers: (() => unknown)[]): Promise<Clock> {
  const clock = await startDatabaseClock(async () => {
    const [row] = await database.query<{ now: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
      [],
    )
    return Number(row?.now)
  })
  closers.push(() => clock.stop())
  metrics.clockSkew(() => clock.skew() / second)
  return clock
}

const connectRedis = (
  config: FixedConfig,
  id: string,
  log: Logger,
  metrics: Context['metrics'],
): Promise<RedisConnection> =>
  openRedis({
    url: config.REDIS_URL ?? '',
    // The prefix depends on the installation id because installations may share a Redis server and even secrets.
    prefix: `wardenry:${sha256(`${config.AUTH_SECRET} ${id}`).slice(0, 16)}:`,
    onStateChange: (up, reason = 'does not answer') => {
      metrics.dependency('redis', up)
      if (up) log.info({ up }, 'Redis answers')
      else log.warn({ up, reason: `Redis ${reason}` }, 'Redis cannot be used: continuing without it')
    },
  })

function postgresBus({ listen, query }: Database) {
  if (!listen) return undefined
  return {
    connect: listen,
    notify: (channel: string, payload: string) => query('SELECT pg_notify($1, $2)', [channel, payload]),
  }
}

const senderOf = ({ MAIL_FROM, PUBLIC_URL }: Config): string => MAIL_FROM ?? `no-reply@${new URL(PUBLIC_URL).hostname}`

export const filePlace = ({ STORAGE_URL: storage, DATA_DIR }: FixedConfig): FilePlace =>
  storage.kind === 'local' ? { kind: 'local', directory: join(DATA_DIR, 'files') } : storage

const smsWebhook = ({ SMS_WEBHOOK_URL: url, SMS_WEBHOOK_SECRET: secret }: FixedConfig, clock: Clock) =>
  url && secret ? { url, secret, clock } : undefined

const twilioAccount = ({
  TWILIO_ACCOUNT_SID: accountSid,
  TWILIO_AUTH_TOKEN: authToken,
  TWILIO_FROM: from,
}: FixedConfig) => (accountSid && authToken && from ? { accountSid, authToken, from } : undefined)
