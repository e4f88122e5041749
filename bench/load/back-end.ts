import { get } from 'node:http'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { exportJWK, generateKeyPair, importJWK, jwtVerify, SignJWT } from 'jose'
import type { SessionSource } from '../../packages/server/src/session.ts'
import { sessionSource } from '../../packages/server/src/session-source.ts'
import { respond } from '../process/calls.ts'

// A Node.js back end that validates sessions with @wardenry/server or over HTTP, and JSON Web Tokens for comparison.

export interface BackEnd {
  port: number
  bridgeSecret: string
  tokens: string[]
}

let source: SessionSource
let service: BackEnd
/** The tokens to validate, shuffled in advance so that the shuffling is not measured. */
let order: string[] = []
let users: NodeJS.Timeout | undefined

const address = (path: string) => `http://127.0.0.1:${service.port}${path}`
const open = (maxSessions: number) =>
  sessionSource({ internalUrl: address(''), bridgeSecret: service.bridgeSecret, fetch, maxSessions })
const validateAll = (tokens: string[]) => Promise.all(tokens.map((token) => source.validate(token)))

/** Repeats `step` for this long. Yields to the event loop about every 20 ms so that heartbeats can arrive. */
async function repeat(milliseconds: number, step: (count: number) => unknown): Promise<number> {
  let count = 0
  for (const end = performance.now() + milliseconds; performance.now() < end; await nextTurn()) {
    for (const pause = performance.now() + 20; performance.now() < pause; ) {
      for (let more = 0; more < 1_000; more++) step(count++)
    }
  }
  return count
}

async function repeatAwaiting(milliseconds: number, step: (count: number) => Promise<unknown>): Promise<number> {
  let count = 0
  for (const end = performance.now() + milliseconds; performance.now() < end; ) await step(count++)
  return count
}

respond('connect', async (input: BackEnd) => {
  service = input
  order = Array.from({ length: 65_536 }, () => input.tokens[Math.floor(Math.random() * input.tokens.length)] ?? '')
  source = open(25_000)
  await validateAll(input.tokens)
  // Responses in the first second of a stream are not cached.
  await sleep(1_500)
  await validateAll(input.tokens)
})
respond('disconnect', () => source.close())

/** For the `missed share` call: the fraction of validations in the last `memory` call that queried the service. */
let missedShare = 0
respond('memory', async (milliseconds: number) => {
  let missed = 0
  const count = await repeat(milliseconds, (number) => {
    const token = order[number & 65_535] as string
    if (source.peek(token) !== 'ask') return
    missed++
    source.validate(token).catch(() => {})
  })
  missedShare = missed / count
  return count
})
respond('missed share', () => missedShare)

respond('http', async (milliseconds: number) => {
  const headers = { 'content-type': 'application/json', 'x-bridge-secret': service.bridgeSecret }
  const one = async (count: number) => {
    const body = JSON.stringify({ session_id: order[count & 65_535] })
    const reply = await fetch(address('/auth/bridge/validate'), { method: 'POST', headers, body })
    if (!((await reply.json()) as { success: boolean }).success) throw new Error('a session was refused')
  }
  const counts = await Promise.all(Array.from({ length: 32 }, () => repeatAwaiting(milliseconds, one)))
  return counts.reduce((sum, count) => sum + count, 0)
})

const claims = { sub: '01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf', email: 'ada@example.com', role: 'customer', sid: 'x' }
const tokenOf = (algorithm: string, key: Parameters<SignJWT['sign']>[0]) =>
  new SignJWT(claims).setProtectedHeader({ alg: algorithm }).setIssuedAt().setExpirationTime('1h').sign(key)

respond('ES256', async (milliseconds: number) => {
  const pair = await generateKeyPair('ES256', { extractable: true })
  const key = await importJWK(await exportJWK(pair.publicKey), 'ES256')
  const token = await tokenOf('ES256', pair.privateKey)
  return repeatAwaiting(milliseconds, () => jwtVerify(token, key, { algorithms: ['ES256'] }))
})
respond('HS256', async (milliseconds: number) => {
  const key = crypto.getRandomValues(new Uint8Array(32))
  const token = await tokenOf('HS256', key)
  return repeatAwaiting(milliseconds, () => jwtVerify(token, key, { algorithms: ['HS256'] }))
})

/** Uses every session twice a second until `use none` is called. */
respond('use all', () => {
  users = setInterval(() => {
    for (const token of service.tokens) if (source.peek(token) === 'ask') source.validate(token).catch(() => {})
  }, 500)
})
respond('use none', () => clearInterval(users))

/** For each token, the milliseconds between the response that ended the session and the first rejection. */
respond('end', async ({ tokens, withStream }: { tokens: string[]; withStream: boolean }) => {
  const own = open(withStream ? 1_000 : 0)
  const delays: number[] = []
  const isKnown = (token: string) => !withStream || own.peek(token) !== 'ask'
  for (const token of tokens) {
    do {
      await own.validate(token)
      await sleep(1)
    } while (!isKnown(token))
    const reply = await fetch(address('/auth/logout'), { method: 'POST', headers: { 'x-session-id': token } })
    await reply.arrayBuffer()
    if (reply.status !== 200) throw new Error(`a session could not be ended: ${reply.status}`)
    const ended = performance.now()
    while ((await own.validate(token)) !== undefined) await nextTurn()
    delays.push(performance.now() - ended)
  }
  own.close()
  return delays
})

/** Opens this many event streams, as if from as many back ends. The streams are read, but no sessions are validated. */
respond('listen', async (count: number) => {
  const opened = Array.from({ length: count }, () => {
    return new Promise<void>((resolve, reject) => {
      const headers = { 'x-bridge-secret': service.bridgeSecret }
      get(address('/auth/bridge/events'), { headers, agent: false }, (reply) => {
        if (reply.statusCode === 200) resolve()
        else reject(new Error(`a stream was refused: ${reply.statusCode}`))
        reply.resume()
      }).on('error', reject)
    })
  })
  await Promise.all(opened)
})
