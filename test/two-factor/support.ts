import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { minute, second } from '../../src/lib/time.ts'
import { type PersonName, registered, type SignedIn, withSession } from '../support/people.ts'
import type { Reply, TestApp } from '../support/test-app.ts'

export const base = '/auth/two_factor'

/** Computes a TOTP code (RFC 6238), independently of the service's implementation. */
export function totpOf(seed: Buffer, time: number, digits = 6): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(time / 1000 / 30)))
  const mac = createHmac('sha1', seed).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** Decodes base32 (RFC 4648), the encoding of authenticator seeds. */
export function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const bytes = bits.join('').match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}

export const wrongCode = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

export interface Enrolled extends SignedIn {
  methodId: string
  recoveryCodes: string[]
  /** The code that the authenticator shows now, or this many steps later. */
  code(steps?: number): string
}

/**
 * A user with an authenticator. The clock has advanced to the next time step because each time step can be used only
 * once.
 */
export async function withTotp(app: TestApp, name: PersonName = 'ada'): Promise<Enrolled> {
  const person = await registered(app, name)
  const begun = await app.post(`${base}/totp/setup`, {}, withSession(person.sessionToken))
  assert.equal(begun.status, 200, begun.text)
  const seed = fromBase32(begun.json.secret)
  const code = (steps = 0) => totpOf(seed, app.clock.now() + steps * 30 * second)
  const body = { method_id: begun.json.method_id, action: 'setup', code: code() }
  const done = await app.post(`${base}/verify`, body, withSession(person.sessionToken))
  assert.equal(done.status, 200, done.text)
  app.clock.advance(30 * second)
  return { ...person, methodId: begun.json.method_id, recoveryCodes: done.json.recovery_codes, code }
}

/** Signs in with the correct password. The session is partial until the second factor is verified. */
export async function pending(app: TestApp, { email, password }: Pick<SignedIn, 'email' | 'password'>) {
  const reply = await app.post('/auth/login', { email, password })
  assert.equal(reply.status, 200, reply.text)
  assert.equal(reply.json.requires_2fa, true)
  return { sessionToken: reply.json.sessionId as string, reply }
}

export const verify = (app: TestApp, sessionToken: string, body: Record<string, unknown>): Promise<Reply> =>
  app.post(`${base}/verify`, body, withSession(sessionToken))

export async function fullSession(app: TestApp, person: Enrolled): Promise<string> {
  app.clock.advance(minute)
  const { sessionToken } = await pending(app, person)
  const reply = await verify(app, sessionToken, { code: person.code() })
  assert.equal(reply.status, 200, reply.text)
  return reply.json.sessionId
}

/** The codes sent to an address or number, oldest first. */
const codesTo = (app: TestApp, to: string): string[] =>
  (app.inbox?.list({ to }) ?? [])
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .flatMap(({ text }) =>
      /verif/i.test(text.replaceAll('/token/verify', '')) ? (/^(\d{6})\b/m.exec(text)?.[1] ?? []) : [],
    )

/** Waits for the code that follows `earlier` other codes. */
export async function codeTo(app: TestApp, to: string, earlier = 0): Promise<string> {
  for (const end = performance.now() + 10_000; performance.now() < end; await sleep(10)) {
    const code = codesTo(app, to)[earlier]
    if (code) return code
  }
  throw new Error(`no code was sent to ${to}`)
}

export const mailsOf = (app: TestApp, to: string, subject: RegExp) =>
  (app.inbox?.list({ to }) ?? []).filter((mail) => subject.test(mail.subject ?? ''))

/** Calls each second-factor operation and checks the responses with `check`. */
export async function twoFactorLife(app: TestApp, check: (method: string, url: string, reply: Reply) => Reply) {
  const person = await registered(app)
  const call = async (method: string, path: string, body?: unknown, sessionToken = person.sessionToken) =>
    check(method, `${base}${path}`, await app.call(method, `${base}${path}`, { body, ...withSession(sessionToken) }))
      .json
  await call('GET', '/system')
  const { method_id, secret } = await call('POST', '/totp/setup', {})
  const code = (steps = 0) => totpOf(fromBase32(secret), app.clock.now() + steps * 30 * second)
  await call('POST', '/verify', { action: 'setup', code: wrongCode(code()) })
  await call('POST', '/verify', { action: 'setup', code: code() })
  const { recovery_codes: codes } = await call('POST', '/recovery/regenerate', {})
  await call('GET', '/methods')
  await call('POST', '/totp/start', { action: 'remove' })
  await call('POST', '/toggle', { enabled: true })
  await call('POST', '/verify', { action: 'toggle', code: codes[0] })
  const { sessionToken } = await pending(app, person)
  await call('POST', '/verify', { code: codes[1] }, sessionToken)
  await call('DELETE', `/${method_id}`, { verification_code: codes[2] })
}
