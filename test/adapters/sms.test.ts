import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openInbox } from '../../src/adapters/inbox/inbox.ts'
import { createSmsSender } from '../../src/adapters/sms/index.ts'
import { SmsRefused, type SmsSender } from '../../src/adapters/sms/port.ts'
import { equalSecrets } from '../../src/lib/hash.ts'
import { smsContract } from './sms.contract.ts'

const secret = 'a shared secret of at least 32 characters'
const sms = { to: '+4915112345678', text: 'Your code: 123456' }

describe('SMS by webhook', () => {
  const clock = { now: () => 1_700_000_000_999 }
  let server: Server
  let url: string
  let sender: SmsSender
  let answer: { status: number; headers?: Record<string, string> } | 'hang' | 'drop'
  let received: { id: string; to: string; text: string }[]

  async function gateway(request: IncomingMessage): Promise<number> {
    const body = await textOf(request)
    const timestamp = String(request.headers['x-wardenry-timestamp'])
    const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
    const isFresh = timestamp === String(Math.floor(clock.now() / 1000))
    const isSigned = equalSecrets(signature, String(request.headers['x-wardenry-signature']))
    const isJson = request.method === 'POST' && request.headers['content-type'] === 'application/json'
    if (!isFresh || !isSigned || !isJson) return 401
    received.push(JSON.parse(body))
    return 200
  }

  before(async () => {
    server = createServer(async (request, reply) => {
      if (answer === 'hang') return
      if (answer === 'drop') return void request.socket.destroy()
      const verdict = await gateway(request)
      reply.writeHead(verdict === 200 ? answer.status : verdict, answer.headers).end('{"said":"+4915112345678"}')
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?key=hidden`
    sender = createSmsSender({ webhook: { url, secret, clock }, inbox: undefined })
  })
  beforeEach(() => {
    answer = { status: 202 }
    received = []
  })
  after(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })

  smsContract(
    () => sender,
    async (to) => received.find((sms) => sms.to === to) ?? assert.fail(`no message to ${to}`),
  )

  const failure = async (): Promise<Error> => {
    const error = await sender.send(sms, 'sms-2').then(
      () => assert.fail('the message went out'),
      (error: unknown) => error,
    )
    assert.ok(error instanceof Error)
    assert.doesNotMatch(JSON.stringify([error.message, error.stack, error.cause]), /49151|123456|hidden/)
    return error
  }

  test('carries its id, so that the gateway can drop a repetition', async () => {
    await sender.send(sms, 'sms-3')
    assert.deepEqual(received, [{ id: 'sms-3', ...sms }])
  })

  test('a wrong secret is noticed by the gateway', async () => {
    const other = createSmsSender({ webhook: { url, secret: `${secret}!`, clock }, inbox: undefined })
    await assert.rejects(other.send(sms, 'sms-4'), SmsRefused)
    assert.deepEqual(received, [])
  })

  test('4xx is a refusal for good, save those that say "later"', async () => {
    for (const status of [400, 401, 404, 422]) {
      answer = { status }
      assert.ok((await failure()) instanceof SmsRefused, `${status}`)
    }
    for (const status of [408, 425, 429, 500, 503]) {
      answer = { status }
      assert.ok(!((await failure()) instanceof SmsRefused), `${status}`)
    }
  })

  test('a redirect is not followed', async () => {
    answer = { status: 307, headers: { location: url } }
    assert.match((await failure()).message, /307/)
    assert.equal(received.length, 1)
  })

  test('a gateway that breaks off or is away is no refusal', async () => {
    answer = 'drop'
    assert.ok(!((await failure()) instanceof SmsRefused))
  })

  test('a gateway that hangs is given up', async () => {
    answer = 'hang'
    const hurried = createSmsSender({ webhook: { url, secret, clock, answerMs: 100 }, inbox: undefined })
    const start = performance.now()
    await assert.rejects(hurried.send(sms, 'sms-5'), /in time/)
    assert.ok(performance.now() - start < 1_000)
  })
})

describe('SMS into the development inbox', () => {
  const inbox = openInbox(undefined)
  smsContract(
    () => createSmsSender({ webhook: undefined, inbox }),
    async (to) => inbox.list({ to }).at(-1) ?? assert.fail(`no message to ${to}`),
  )
})

test('without a sender features can tell beforehand, and a message is not lost silently', async () => {
  const sender = createSmsSender({ webhook: undefined, inbox: undefined })
  assert.equal(sender.isConfigured, false)
  await assert.rejects(sender.send(sms, 'sms-6'), /SMS_WEBHOOK_URL/)
})
