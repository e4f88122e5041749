import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { globSync, realpathSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { findProgram, isProgram, searchPath } from './find-program.ts'
import { freePort } from './free-port.ts'
import { type BoundProcess, type Owner, openScratch, type Scratch } from './scratch.ts'

/** A temporary PostgreSQL cluster on loopback that requires no password. */
export interface PostgresServer {
  /** Stays the same when the server is restarted. */
  url: string
  pid: number
  /** Stops the server and removes its files. */
  stop(): Promise<void>
  /** Stops the server without a checkpoint and without notifying its clients. The next start must recover. */
  kill(): Promise<void>
  /** Restarts the server after a kill or a clean stop. */
  restart(): Promise<void>
  /** Restarts the server as a hot standby, which follows `primary` if one is given. */
  restartAsStandby(primary?: PostgresServer): Promise<void>
  /** Starts a hot standby that follows this server, on a separate port. */
  standby(): Promise<PostgresServer>
  /** Creates an empty database and returns its URL. */
  createDatabase(name?: string): Promise<string>
}

export interface PostgresOptions {
  /**
   * Whether a commit waits for the disk, as in production. Default: false. Commits then survive killing the server, but
   * not a power cut.
   */
  durable?: boolean
  sharedBuffers?: string
}

export const noPostgres = 'no PostgreSQL server binaries of 14 or later found; install postgresql or set POSTGRES_BIN'

/** For a test's `skip` option: the reason, or false if PostgreSQL is installed. */
export const skipWithoutPostgres = (): string | false => (findPostgres() ? false : noPostgres)

export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const binaries = findPostgres()
  if (!binaries) throw new Error(noPostgres)
  const scratch = await openScratch('postgres', unprivilegedOwner())
  const cluster: Cluster = { binaries, scratch, data: join(scratch.directory, 'data'), port: await freePort() }
  try {
    await initialise(cluster)
    return await serve(cluster, settings(options, scratch.directory))
  } catch (error) {
    await scratch.close()
    throw error
  }
}

interface Cluster {
  binaries: string
  scratch: Scratch
  data: string
  port: number
}

async function serve(cluster: Cluster, settings: string[]): Promise<PostgresServer> {
  let server = await launch(cluster, settings)
  const url = `postgres://postgres@127.0.0.1:${cluster.port}/postgres`
  return {
    url,
    get pid() {
      return server.pid
    },
    stop: () => cluster.scratch.close(),
    async kill() {
      // Uses an immediate shutdown, which affects clients and data in the same way as SIGKILL. SIGKILL would also leave
      // behind shared memory and orphaned back ends, which prevent the next start.
      await server.end('SIGQUIT')
    },
    async restart() {
      await server.end('SIGINT')
      server = await launch(cluster, settings)
    },
    async restartAsStandby(primary) {
      await server.end('SIGINT')
      await writeFile(join(cluster.data, 'standby.signal'), '')
      const { port } = new URL(primary?.url ?? url)
      const source = primary ? `host=127.0.0.1 port=${port} user=postgres` : ''
      server = await launch(cluster, [...settings, '-c', `primary_conninfo=${source}`])
    },
    standby: () => follow(cluster, settings),
    createDatabase: (name) => createDatabase(url, name),
  }
}

// pg_basebackup is next to the actual `postgres` program because the directory of links may not contain it.
const basebackup = (binaries: string): string =>
  join(dirname(realpathSync(join(binaries, 'postgres'))), 'pg_basebackup')

/** Copies the cluster by replication, as an operator would, and then follows it. */
async function follow({ binaries, port }: Cluster, settings: string[]): Promise<PostgresServer> {
  const scratch = await openScratch('standby', unprivilegedOwner())
  const cluster: Cluster = { binaries, scratch, data: join(scratch.directory, 'data'), port: await freePort() }
  try {
    const args = ['-h', '127.0.0.1', '-p', `${port}`, '-U', 'postgres', '-D', cluster.data, '-R', '-c', 'fast', '-N']
    const copying = await scratch.start(basebackup(binaries), args, { env, cwd: scratch.directory })
    if ((await copying.exited) !== 0) throw new Error(`pg_basebackup failed:\n${copying.output()}`)
    return await serve(cluster, [...settings, '-c', `unix_socket_directories=${scratch.directory}`])
  } catch (error) {
    await scratch.close()
    throw error
  }
}

/** Creates a database on the server at `url` and returns its URL. */
export async function createDatabase(
  url: string,
  name = `test_${randomUUID().replaceAll('-', '')}`,
  template = 'template1',
): Promise<string> {
  await withClient(url, async (client) => {
    const copy = `create database ${pg.escapeIdentifier(name)} template ${pg.escapeIdentifier(template)}`
    const { rows } = await client.query("select current_setting('server_version_num')::int as version")
    // Copying files takes half of the time that writing them to the log takes. PostgreSQL 14 always copies files.
    await client.query(rows[0].version < 150_000 ? copy : `${copy} strategy file_copy`)
  })
  return Object.assign(new URL(url), { pathname: `/${encodeURIComponent(name)}` }).href
}

/** Ends all connections to the database at `url` and drops it, through a connection to `server`. */
export async function dropDatabase(server: string, url: string): Promise<void> {
  const name = decodeURIComponent(new URL(url).pathname.slice(1))
  await withClient(server, (client) =>
    client.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`),
  )
}

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

/** The directory with `initdb` and `postgres`, version 14 or later. */
export function findPostgres(): string | undefined {
  const places = process.env.POSTGRES_BIN ? [process.env.POSTGRES_BIN] : usualPlaces()
  return places.find((place) => isProgram(join(place, 'initdb')) && majorVersion(join(place, 'postgres')) >= 14)
}

function usualPlaces(): string[] {
  const installed = ['/usr/lib/postgresql/*/bin', '/opt/homebrew/opt/postgresql*/bin', '/usr/local/opt/postgresql*/bin']
  const versions = globSync(installed).sort((a, b) => versionIn(b) - versionIn(a))
  return [
    ...searchPath(),
    ...versions,
    '/usr/local/pgsql/bin',
    '/Applications/Postgres.app/Contents/Versions/latest/bin',
  ]
}

const versionIn = (path: string): number => Number(/(\d+)\/bin$/.exec(path)?.[1] ?? 0)

function majorVersion(program: string): number {
  if (!isProgram(program)) return 0
  const said = execFileSync(program, ['--version'], { encoding: 'utf8' })
  return Number(/ (\d+)/.exec(said)?.[1] ?? 0)
}

/** PostgreSQL and pgbouncer refuse to run as root, so another user runs them. */
export function unprivilegedOwner(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const user of ['postgres', 'nobody']) {
    const id = findProgram(['id'])!
    try {
      const ask = (flag: string) => Number(execFileSync(id, [flag, user], { encoding: 'utf8', stdio: 'pipe' }))
      return { uid: ask('-u'), gid: ask('-g') }
    } catch {}
  }
  throw new Error('PostgreSQL does not run as root, and there is neither a user postgres nor nobody')
}

async function initialise({ binaries, scratch, data }: Cluster): Promise<void> {
  const locale = process.platform === 'darwin' ? 'C' : 'C.UTF-8'
  const args = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', `--locale=${locale}`, '--no-sync']
  const initdb = await scratch.start(join(binaries, 'initdb'), args, { env, cwd: scratch.directory })
  const code = await initdb.exited
  if (code !== 0) throw new Error(`initdb ended with code ${code}:\n${initdb.output()}`)
}

// The environment is not inherited, because PGDATA, PGPORT and similar variables would affect the server.
const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' }

function settings({ durable = false, sharedBuffers }: PostgresOptions, socketDirectory: string): string[] {
  const disk = durable ? 'on' : 'off'
  const values = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: socketDirectory,
    max_connections: '200',
    fsync: disk,
    full_page_writes: disk,
    // No test runs long enough for a scheduled checkpoint to matter.
    checkpoint_timeout: '1h',
    // A commit is always written to the operating system so that it survives killing the server.
    synchronous_commit: 'on',
    timezone: 'UTC',
    ...(sharedBuffers && { shared_buffers: sharedBuffers }),
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

async function launch({ binaries, scratch, data, port }: Cluster, settings: string[]): Promise<BoundProcess> {
  const args = ['-D', data, '-p', String(port), ...settings]
  const server = await scratch.start(join(binaries, 'postgres'), args, { env, lastSignal: 'QUIT' })
  await server.until(async () => {
    const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
    return lines[0] === String(server.pid) && lines[7]?.trim() === 'ready'
  })
  return server
}
