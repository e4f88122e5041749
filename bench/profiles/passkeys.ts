import pg from 'pg'
import { type Authenticator, createAuthenticator } from '../../test/support/authenticator.ts'
import type { ClosedResult } from '../load/closed.ts'
import type { PacedResult } from '../load/paced.ts'
import { assertOnly } from '../load/status.ts'
import { percentile, rounded } from '../numbers.ts'
import { withOtherCpu } from '../process/other-cpu.ts'
import { postgresCpu } from '../process/postgres-cpu.ts'
import { production, type Service } from '../service.ts'
import type { Stage } from '../stage.ts'

const owners = 50
const signIns = 500
const signInsPerSecond = 50
const addresses = 500
const rates = [50, 100, 200, 400, 1_000]
const rounds = 8
const maxRounds = 2 * rounds
const roundMs = 2_000

export interface PasskeyFigures {
  /** Response times of sign-ins with passkeys, 50 per second, in milliseconds. */
  signIns: Pick<PacedResult, 'p50' | 'p95' | 'max'>
  /** The CPU time of a request for options, in milliseconds. */
  cost: { service: number; postgres: number | undefined }
  /** The sign-ins with passwords during requests for options, by the number of these requests per second. */
  storms: Record<number, Storm>
  /** The number of rows that these requests added, by table. */
  added: Record<string, number>
}

/** The 95th percentiles of ten sign-ins per second, alone and during the storm, in milliseconds. */
interface Storm {
  requests: number
  calm: number
  storm: number
  ratio: number
  /**
   * The number of rounds during which other processes used at most a tenth of a core. If they make up at least half of
   * the planned rounds, only they count.
   */
  undisturbed: number
  rounds: number
}

interface Round {
  calm: number[]
  storm: number[]
  isUndisturbed: boolean
}

/** The service runs on all cores, so that sign-ins and the requests for options do not wait for one core. */
export async function measurePasskeys(stage: Stage): Promise<PasskeyFigures> {
  const client = new pg.Client({ connectionString: stage.databaseUrl })
  await client.connect()
  // All requests are allowed, but each of them is counted.
  const raised = {
    RATE_LIMIT_PASSKEY_OPTIONS: '1000000/15m',
    RATE_LIMIT_WRITE: '1000000/1s',
    TRUSTED_PROXIES: '127.0.0.1',
  }
  const service = await stage.startService(raised, 'all')
  try {
    const signedIn = await measureSignIns(stage, service)
    await prepareOptions(stage)
    const before = await rowCounts(client)
    const cost = await measureCost(stage, service)
    const storms = await inTurns(stage, service)
    return { signIns: signedIn, cost, storms, added: difference(before, await rowCounts(client)) }
  } finally {
    await service.stop()
    await client.end()
  }
}

async function measureSignIns(stage: Stage, service: Service): Promise<PasskeyFigures['signIns']> {
  const post = (path: string, body: unknown, headers = {}) => postTo(service, path, body, headers)
  const authenticators: Authenticator[] = []
  for (const cookie of stage.requests.verify.cookies?.slice(0, owners) ?? []) {
    const headers = { 'x-session-id': cookie.slice('session_id='.length) }
    const authenticator = createAuthenticator(production.PUBLIC_URL)
    const { options } = await post('/auth/passkeys/options', {}, headers)
    await post('/auth/passkeys', { response: authenticator.create(options) }, headers)
    authenticators.push(authenticator)
  }
  const bodies: string[] = []
  for (let count = 0; count < signIns + signInsPerSecond; count++) {
    const { challenge_id, options } = await post('/auth/passkey/login/options', {})
    bodies.push(JSON.stringify({ challenge_id, response: authenticators[count % owners]?.get(options) }))
  }
  const path = '/auth/passkey/login'
  const load = { port: service.port, connections: 16, perSecond: signInsPerSecond }
  const run = async (name: string, some: string[]) => {
    await stage.load.ask('prepare', { name, path, headers: {}, bodies: some })
    const milliseconds = (some.length / signInsPerSecond) * 1000
    const result = await stage.load.ask<PacedResult>('paced', { ...load, requests: name, milliseconds })
    assertOnly(result.statuses, 200, service.output())
    return result
  }
  await run('first passkeys', bodies.splice(0, signInsPerSecond))
  const { p50, p95, max } = await run('passkeys', bodies)
  return { p50, p95, max }
}

const prepareOptions = (stage: Stage) =>
  stage.load.ask('prepare', {
    name: 'options',
    path: '/auth/passkey/login/options',
    headers: {},
    bodies: ['{}'],
    from: Array.from({ length: addresses }, (_, index) => `198.51.${index >> 8}.${index & 255}`),
  })

async function measureCost(stage: Stage, service: Service): Promise<PasskeyFigures['cost']> {
  const load = { requests: 'options', port: service.port, connections: 16 }
  await stage.load.ask('closed', { ...load, milliseconds: 2_000 })
  const cpu = async () => [await service.ask<number>('cpu'), await postgresCpu(stage.postgresPid)] as const
  const [ours, postgres] = await cpu()
  const { replies, statuses } = await stage.load.ask<ClosedResult>('closed', { ...load, milliseconds: 5_000 })
  const [oursAfter, postgresAfter] = await cpu()
  assertOnly(statuses, 200, service.output())
  return {
    service: rounded((oursAfter - ours) / 1000 / replies, 3),
    postgres: postgres && postgresAfter && rounded(((postgresAfter - postgres) * 1000) / replies, 3),
  }
}

/** The turns are short, so that other work on the machine affects both alike. */
async function inTurns(stage: Stage, service: Service): Promise<PasskeyFigures['storms']> {
  const load = { port: service.port, connections: 8, milliseconds: roundMs }
  const logIn = () => stage.load.ask<PacedResult>('paced', { ...load, requests: 'login', perSecond: 10 })
  const ask = (perSecond: number) => stage.load.ask<PacedResult>('paced', { ...load, requests: 'options', perSecond })
  await logIn()
  const seen: Record<number, Round[]> = Object.fromEntries(rates.map((rate) => [rate, []]))
  for (let round = 0; round < maxRounds; round++)
    for (const [rate, all] of Object.entries(seen)) {
      if (all.filter(({ isUndisturbed }) => isUndisturbed).length === rounds) continue
      const [calm, othersWhenCalm] = await withOtherCpu(stage, service, logIn)
      const [[storm, asked], others] = await withOtherCpu(stage, service, () =>
        Promise.all([logIn(), ask(Number(rate))]),
      )
      assertOnly(asked.statuses, 200, service.output())
      all.push({ calm: calm.times, storm: storm.times, isUndisturbed: Math.max(othersWhenCalm, others) <= 0.1 })
    }
  return Object.fromEntries(Object.entries(seen).map(([rate, all]) => [rate, stormOf(Number(rate), all)]))
}

function stormOf(rate: number, all: Round[]): Storm {
  const undisturbed = all.filter(({ isUndisturbed }) => isUndisturbed)
  const counted = undisturbed.length * 2 >= rounds ? undisturbed : all
  const p95 = (times: number[]) =>
    percentile(
      times.toSorted((one, other) => one - other),
      0.95,
    )
  const [calm, storm] = [p95(counted.flatMap((round) => round.calm)), p95(counted.flatMap((round) => round.storm))]
  return {
    requests: (rate * roundMs * all.length) / 1000,
    calm: rounded(calm, 1),
    storm: rounded(storm, 1),
    ratio: rounded(storm / calm, 2),
    undisturbed: undisturbed.length,
    rounds: all.length,
  }
}

/** Sign-ins write to the other tables, so only those to which requests for options could write are counted. */
async function rowCounts(client: pg.Client): Promise<Record<string, number>> {
  const { rows } = await client.query(`SELECT (SELECT count(*)::int FROM one_time_secrets) AS one_time_secrets,
    (SELECT count(*)::int FROM passkeys) AS passkeys,
    (SELECT count(*)::int FROM rate_limits WHERE key LIKE '%passkey%') AS rate_limits`)
  return rows[0]
}

const difference = (before: Record<string, number>, after: Record<string, number>) =>
  Object.fromEntries(Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]))

/** The options fit the ceremony that the route starts. */
interface Started {
  challenge_id: string
  options: Parameters<Authenticator['create']>[0] & Parameters<Authenticator['get']>[0]
}

async function postTo(service: Service, path: string, body: unknown, headers: Record<string, string>) {
  const reply = await fetch(`http://127.0.0.1:${service.port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`)
  return reply.json() as Promise<Started>
}
