import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { findProgram, isProgram, searchPath } from './find-program.ts'
import { freePort } from './free-port.ts'
import { unprivilegedOwner } from './postgres.ts'
import { openScratch } from './scratch.ts'

export const noPgbouncer = 'no pgbouncer of 1.21 or later found; install pgbouncer or set PGBOUNCER_BIN'

const sample = new URL('../../deploy/pgbouncer/pgbouncer.ini', import.meta.url)

export function findPgbouncer(): string | undefined {
  const named = process.env.PGBOUNCER_BIN
  const program = named ?? findProgram(['pgbouncer'], [...searchPath(), '/usr/local/sbin', '/usr/sbin', '/sbin'])
  return program && isProgram(program) && isRecent(program) ? program : undefined
}

/** Prepared statements in transaction mode require pgbouncer 1.21. */
function isRecent(program: string): boolean {
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(execFileSync(program, ['-V'], { encoding: 'utf8' })) ?? []
  return Number(major) > 1 || Number(minor) >= 21
}

export interface Pgbouncer {
  /** The URL of the database in `serverUrl`, through the pooler. */
  url: string
  /** The result of an administration command, such as `SHOW POOLS`. */
  show(what: string): Promise<Record<string, string>[]>
  stop(): Promise<void>
}

/** Starts pgbouncer for this database, with the documented configuration and these changes. */
export async function startPgbouncer(serverUrl: string, changes: Record<string, string> = {}): Promise<Pgbouncer> {
  const program = findPgbouncer()
  if (!program) throw new Error(noPgbouncer)
  const server = new URL(serverUrl)
  const name = server.pathname.slice(1)
  const scratch = await openScratch('pgbouncer', unprivilegedOwner())
  const port = await freePort()
  const own = { listen_port: `${port}`, auth_type: 'any', unix_socket_dir: scratch.directory, ...changes }
  let text = readFileSync(sample, 'utf8')
    .replace(/^wardenry = .*$/m, `${name} = host=127.0.0.1 port=${server.port} dbname=${name} user=${server.username}`)
    .replace(/^auth_file = .*\n/m, '')
  for (const [key, value] of Object.entries(own))
    text = `${text.replace(new RegExp(`^${key} = .*\n`, 'm'), '')}${key} = ${value}\n`
  const file = join(scratch.directory, 'pgbouncer.ini')
  await writeFile(file, text)
  const address = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
  const show = async (what: string) => {
    const client = new pg.Client({ connectionString: address('pgbouncer') })
    await client.connect()
    try {
      return (await client.query(what)).rows
    } finally {
      await client.end()
    }
  }
  try {
    const pooler = await scratch.start(program, [file], { lastSignal: 'QUIT', cwd: scratch.directory })
    await pooler.until(() =>
      show('SHOW VERSION').then(
        () => true,
        () => false,
      ),
    )
  } catch (error) {
    await scratch.close()
    throw error
  }
  return { url: address(name), show, stop: () => scratch.close() }
}
