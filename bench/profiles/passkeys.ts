import pg from 'pg'
import { type Authenticator, createAuthenticator } from '../../test/support/authenticator.ts'
import type { PacedResult } from '../load/paced.ts'
import { assertOnly } from '../load/status.ts'
import { median } from '../numbers.ts'
import { production, type Service } from '../service.ts'
import type { Stage } from '../stage.ts'

const owners = 50
const signIns = 500
const signInsPerSecond = 50
const optionRequests = 10_000
const addresses = 500
const rounds = 5

export interface PasskeyFigures {
  /** Sign-ins with passkeys, 50 per second. */
  signIns: PacedResult
  /** Sign-ins with passwords, ten per second, alone and while others request options. */
  calm: PacedResult
  storm: PacedResult
  /** The median of the rounds. */
  ratio: number
  /** The number of rows that 10,000 requests for options added, by table. */
  added: Record<string, number>
}

/** The service runs on all cores, so that sign-ins and the requests for options do not wait for one core. */
export async function measurePasskeys(stage: Stage): Promise<PasskeyFigures> {
  const client = new pg.Client({ connectionString: stage.databaseUrl })
  await client.connect()
  const raised = { RATE_LIMIT_PASSKEY_OPTIONS: '1000000/1s', RATE_LIMIT_WRITE: '1000000/1s' }
  const service = await stage.startService(raised, 'all')
  try {
    const signedIn = await measureSignIns(stage, service)
    await service.stop()
    const limited = await stage.startService({ TRUSTED_PROXIES: '127.0.0.1' }, 'all')
    try {
      return { signIns: signedIn, ...(await inTurns(stage, limited, client)) }
    } finally {
      await limited.stop()
    }
  } finally {
    await service.stop()
    await client.end()
  }
}

async function measureSignIns(stage: Stage, service: Service): Promise<PacedResult> {
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
  return run('passkeys', bodies)
}

async function inTurns(stage: Stage, service: Service, client: pg.Client): Promise<Omit<PasskeyFigures, 'signIns'>> {
  await stage.load.ask('prepare', {
    name: 'options',
    path: '/auth/passkey/login/options',
    headers: {},
    bodies: ['{}'],
    from: Array.from({ length: addresses }, (_, index) => `198.51.${index >> 8}.${index & 255}`),
  })
  const milliseconds = optionRequests / rounds
  const { port } = service
  const logIn = () =>
    stage.load.ask<PacedResult>('paced', { requests: 'login', port, connections: 16, milliseconds, perSecond: 10 })
  const ask = () =>
    stage.load.ask<PacedResult>('paced', { requests: 'options', port, connections: 64, milliseconds, perSecond: 1_000 })
  await logIn()
  const calm: PacedResult[] = []
  const storm: PacedResult[] = []
  let added: Record<string, number> = {}
  for (let round = 0; round < rounds; round++) {
    calm.push(await logIn())
    const before = await rowCounts(client)
    const [signedIn, asked] = await Promise.all([logIn(), ask()])
    assertOnly(asked.statuses, 200, service.output())
    storm.push(signedIn)
    added = sum(added, difference(before, await rowCounts(client)))
  }
  const ratio = median(storm.map(({ p95 }, round) => p95 / (calm[round]?.p95 ?? 1)))
  return { calm: middleOf(calm), storm: middleOf(storm), ratio, added }
}

const middleOf = (results: PacedResult[]): PacedResult =>
  results.toSorted((one, other) => one.p95 - other.p95)[results.length >> 1] as PacedResult

/** Sign-ins write to the other tables, so only those to which requests for options could write are counted. */
async function rowCounts(client: pg.Client): Promise<Record<string, number>> {
  const { rows } = await client.query(`SELECT (SELECT count(*)::int FROM one_time_secrets) AS one_time_secrets,
    (SELECT count(*)::int FROM passkeys) AS passkeys,
    (SELECT count(*)::int FROM rate_limits WHERE key LIKE '%passkey%') AS rate_limits`)
  return rows[0]
}

const difference = (before: Record<string, number>, after: Record<string, number>) =>
  Object.fromEntries(Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]))

const sum = (one: Record<string, number>, other: Record<string, number>) =>
  Object.fromEntries(Object.entries(other).map(([name, count]) => [name, count + (one[name] ?? 0)]))

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
