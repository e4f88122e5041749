import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { hash } from '@node-rs/argon2'
import { findProgram } from '../test/support/find-program.ts'
import { type PostgresOptions, startPostgres } from '../test/support/postgres.ts'
import { openScratch } from '../test/support/scratch.ts'
import type { Requests } from './load/requests.ts'
import { cores, isPinned, type PinnedProcess, startPinned } from './process/pinned.ts'
import { type Population, seed } from './seed.ts'
import { bridgeSecret, type Service, startService } from './service.ts'

/** The resources that the PostgreSQL profiles share: a database with users, and the load generator. */
export interface Stage {
  databaseUrl: string
  postgresPid: number
  load: PinnedProcess
  /** The password that all users have, and its Argon2id hash with the service's default parameters. */
  stored: { hash: string; password: string }
  requests: RequestSets
  startService(settings?: Record<string, string>, place?: keyof typeof cores): Promise<Service>
  close(): Promise<void>
}

export type RequestSets = Record<'validate' | 'verify' | 'validateFew' | 'login' | 'wrongLogin' | 'loginPage', Requests>

const users = 10_000
const few = 1_000
type Populate = (databaseUrl: string, passwordHash: string) => Promise<Population>

const seedFew: Populate = (databaseUrl, passwordHash) => seed(databaseUrl, users, passwordHash)

const password = 'seven quiet river stones'

/** `populate` adds the users and sessions, by default 10,000. */
export async function setStage(populate: Populate = seedFew, options: PostgresOptions = {}): Promise<Stage> {
  const scratch = await openScratch('bench')
  const postgres = await startPostgres({ durable: true, ...options })
  const load = startPinned(join(import.meta.dirname, 'load/main.ts'), cores.others)
  const close = async () => {
    await load.stop()
    await postgres.stop()
    await scratch.close()
  }
  try {
    pinToOthers(postgres.pid)
    const databaseUrl = await postgres.createDatabase('bench')
    const start: Stage['startService'] = (settings, place) =>
      startService(databaseUrl, scratch.directory, settings, place)
    // The first start creates the tables.
    await (await start()).stop()
    const stored = { hash: await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 }), password }
    const requests = requestSets(await populate(databaseUrl, stored.hash))
    for (const set of Object.values(requests)) await load.ask('prepare', set)
    return { databaseUrl, postgresPid: postgres.pid, load, stored, requests, startService: start, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Pins the PostgreSQL server to the other core. Its back ends are child processes and inherit the affinity. */
function pinToOthers(pid: number): void {
  const taskset = findProgram(['taskset'])
  if (isPinned && taskset)
    execFileSync(taskset, ['-a', '-c', '-p', String(cores.others), String(pid)], { stdio: 'ignore' })
}

export function requestSets({ bearers, emails }: { bearers: string[]; emails: string[] }): RequestSets {
  const validations = bearers.map((sessionToken) => JSON.stringify({ session_id: sessionToken }))
  const logins = (input: string) => emails.map((email) => JSON.stringify({ email, password: input }))
  const toValidate = { path: '/auth/bridge/validate', headers: { 'X-Bridge-Secret': bridgeSecret } }
  const toLogin = { path: '/auth/login', headers: {} }
  return {
    validate: { name: 'validate', ...toValidate, bodies: validations },
    verify: {
      name: 'verify',
      method: 'GET',
      path: '/auth/verify',
      headers: toValidate.headers,
      bodies: [''],
      cookies: bearers.map((sessionToken) => `session_id=${sessionToken}`),
    },
    validateFew: { name: 'validateFew', ...toValidate, bodies: validations.slice(0, few) },
    login: { name: 'login', ...toLogin, bodies: logins(password) },
    loginPage: {
      name: 'loginPage',
      method: 'GET',
      path: '/login',
      headers: { Accept: 'text/html', 'Accept-Language': 'en-GB,en;q=0.9' },
      bodies: [''],
    },
    wrongLogin: { name: 'wrongLogin', ...toLogin, bodies: logins('a tape without an end') },
  }
}
