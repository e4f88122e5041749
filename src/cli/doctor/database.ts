import { join } from 'node:path'
import { hostName, readDatabaseAddress } from '../../config/database-address.ts'
import type { Config } from '../../config/load.ts'
import { startDatabaseClock } from '../../db/clock.ts'
import type { Database } from '../../db/connect.ts'
import { assertMayCreate } from '../../db/create-rights.ts'
import { assertNotDamaged, holdsDatabase } from '../../db/embedded/archive.ts'
import { assertUsable } from '../../db/installation-marks.ts'
import { DataDirectoryBusy } from '../../db/lock-file.ts'
import { pendingMigrations, shippedObjects } from '../../db/migrate.ts'
import { openDatabase } from '../../db/open-database.ts'
import { describeUnsuitable, findUnsuitable } from '../../db/session-settings.ts'
import { findLost, nameOfObject } from '../../db/sql-objects.ts'
import { createLogger } from '../../lib/log.ts'
import { second } from '../../lib/time.ts'
import { explain } from '../fail.ts'
import { askReadiness, readinessAddress } from '../readiness.ts'
import { examineApplications } from './applications.ts'
import { examineAudit } from './audit.ts'
import { type DoctorFinding, notice, ok, problem } from './finding.ts'
import { examineHosts } from './hosts.ts'
import { examineModules } from './modules.ts'
import { examineWithModules } from './of-modules.ts'
import { examinePasskeyDomain, examinePasskeys } from './passkeys.ts'
import { examineMethods, examinePasswords } from './sign-in-methods.ts'
import { examineStoredSettings } from './stored-settings.ts'
import { examineWebhooks } from './webhooks.ts'

const oldestPostgres = 14
const clockTolerance = 5 * second
const about = 'Database'

export async function examineDatabase(config: Config): Promise<DoctorFinding[]> {
  if (config.DATABASE_URL === undefined) return examineEmbedded(config)
  const [findings, hosts] = await Promise.all([examineOpen(config), examineHosts(config.DATABASE_URL)])
  return [...findings.slice(0, 1), ...hosts, ...findings.slice(1)]
}

async function examineEmbedded(config: Config): Promise<DoctorFinding[]> {
  const directory = join(config.DATA_DIR, 'postgres')
  try {
    assertNotDamaged(directory)
    if (!holdsDatabase(directory))
      return [
        ok(about, `no database in ${config.DATA_DIR} yet: the first start creates it`),
        ...examineMethods(config),
        examinePasskeyDomain(config),
      ]
    return await examineOpen(config)
  } catch (error) {
    if (error instanceof DataDirectoryBusy) return [await askOwner(config, error)]
    return [problem(about, explain(error))]
  }
}

/** The service is probably using the directory, so this function asks the service whether it is ready. */
async function askOwner(config: Config, { message }: DataDirectoryBusy): Promise<DoctorFinding> {
  const address = readinessAddress(config)
  const [owner = 'another process'] = /process \d+/i.exec(message) ?? []
  const locked = `in use by ${owner.toLowerCase()}`
  try {
    const reply = await askReadiness(address)
    if (reply.ok) return ok(about, `${locked}, and ${address} reports that it is ready`)
    return problem(about, `${locked}, and ${address} answers ${reply.status}`)
  } catch {
    return notice(about, `${locked}, which does not answer at ${address}`)
  }
}

async function examineOpen(config: Config): Promise<DoctorFinding[]> {
  let database: Database | undefined
  try {
    database = await openDatabase(
      { ...config, DATABASE_POOL_MAX: 1 },
      createLogger('silent', [], () => {}),
    )
    const migrations = await examineMigrations(database, config)
    return [
      await examineVersion(database, config),
      migrations,
      await examineClock(database),
      await examineSettings(database),
      ...(migrations.state === 'ok'
        ? await examineContents(database, config)
        : [...examineMethods(config), examinePasskeyDomain(config)]),
    ]
  } catch (error) {
    if (error instanceof DataDirectoryBusy) throw error
    return [problem(about, explain(error))]
  } finally {
    await database?.close()
  }
}

const examineContents = async (database: Database, config: Config): Promise<DoctorFinding[]> => [
  await examineSchema(database),
  await examineStoredSettings(database, config),
  await examinePasswords(database, config),
  await examineModules(database, config),
  await examinePasskeys(database.db, config),
  await examineApplications(database, config),
  await examineWebhooks(database),
  ...(await examineWithModules(database, config)),
  await examineAudit(database, config),
]

async function examineVersion({ kind, query }: Database, config: Config): Promise<DoctorFinding> {
  const [row] = await query<{ version: string; number: number }>(
    "SELECT current_setting('server_version') AS version, current_setting('server_version_num')::integer AS number",
    [],
  )
  const where = config.DATABASE_URL === undefined ? `in ${config.DATA_DIR}` : placeOf(config.DATABASE_URL)
  const name = `${kind === 'embedded' ? 'embedded' : 'PostgreSQL'} ${row?.version} ${where}`
  if ((row?.number ?? 0) >= oldestPostgres * 10_000) return ok(about, name)
  return problem(about, `${name} is too old: ${oldestPostgres} or later is needed`)
}

function placeOf(url: string): string {
  const { hosts, database } = readDatabaseAddress(url)
  return `at ${hosts.map(hostName).join(',')}/${database}`
}

async function examineMigrations({ db }: Database, { AUTO_MIGRATE }: Config): Promise<DoctorFinding> {
  try {
    await assertUsable(db)
    const pending = await pendingMigrations(db)
    if (pending.length === 0) return ok('Migrations', 'all applied and unchanged')
    const list = `${pending.length} pending: ${pending.join(', ')}`
    await assertMayCreate(db)
    if (AUTO_MIGRATE) return notice('Migrations', `${list}\nThe next start applies them.`)
    return problem('Migrations', `${list}\nAUTO_MIGRATE is false: run "wardenry migrate" before the start.`)
  } catch (error) {
    return problem('Migrations', explain(error))
  }
}

async function examineClock({ query }: Database): Promise<DoctorFinding> {
  const clock = await startDatabaseClock(async () => {
    const [row] = await query<{ now: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
      [],
    )
    return Number(row?.now)
  })
  clock.stop()
  const skew = clock.skew()
  const text = `${Math.abs(skew / second).toFixed(1)} s ${skew < 0 ? 'behind' : 'ahead of'} the database`
  if (Math.abs(skew) < clockTolerance) return ok('Clock', text)
  return notice(
    'Clock',
    `${text}. Expiry uses the clock of the database; log lines use the clock of this machine. Synchronize both with NTP.`,
  )
}

async function examineSettings({ query }: Database): Promise<DoctorFinding> {
  const unsuitable = await findUnsuitable(query)
  if (unsuitable.length === 0) return ok('Settings', 'no setting of the database or its role changes results')
  return problem('Settings', unsuitable.map(describeUnsuitable).join('\n'))
}

const aboutSchema = 'Schema'

async function examineSchema({ db }: Database): Promise<DoctorFinding> {
  const objects = shippedObjects()
  const lost = await findLost(db, objects)
  if (lost.length === 0)
    return ok(aboutSchema, `${objects.length} indexes, functions and triggers of the core, none missing`)
  const lines = lost.map((object) => `${nameOfObject(object)} (src/db/migrations/${object.file})`)
  const advice = 'Recreate them with their statements in these files.'
  return problem(aboutSchema, ['objects are missing or disabled', ...lines, advice].join('\n'))
}
