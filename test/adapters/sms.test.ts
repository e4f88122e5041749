import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openInbox } from '../../src/adapters/inbox/inbox.ts'
import { createSmsSender } from '../../src/adapters/sms/index.ts'
import { type Sms, SmsRejected, type SmsSender } from '../../src/adapters/sms/port.ts'
import { equalSecrets } from '../../src/lib/hash.ts'
import { smsContract } from './sms.contract.ts'

const secret = 'a shared secret of at least 32 characters'
const account = { accountSid: `AC${'0'.repeat(32)}`, authToken: 'an auth token of the account', from: '+15005550006' }
const sms = { to: '+4915112345678', text: 'Your code: 123456' }
const clock = { now: () => 1_700_000_000_999 }

interface Received extends Sms {
  id?: string
  from?: Record<string, string>
}

interface Gateway {
  sender(address: string, responseMs?: number): SmsSender
  wrongSecret(address: string): SmsSender
  /** The message, or undefined if the request is not authenticated with the secret. */
  read(request: IncomingMessage, body: string): Received | undefined
}

const webhookAt = (address: string) => ({ url: `${address}/hook?key=hidden`, secret, clock })

/** How each gateway's server behaves. */
const gateways: Record<string, Gateway> = {
  'a signed webhook': {
    sender: (address, responseMs = 10_000) => createSmsSender({ webhook: { ...webhookAt(address), responseMs } }),
    wrongSecret: (address) => createSmsSender({ webhook: { ...webhookAt(address), secret: `${secret}!` } }),
    read({ method, headers }, body) {
      const timestamp = String(headers['x-wardenry-timestamp'])
      const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
      const isSigned = equalSecrets(signature, String(headers['x-wardenry-signature']))
      const isFresh = timestamp === String(Math.floor(clock.now() / 1000))
      const isJson = method === 'POST' && headers['content-type'] === 'application/json'
      return isFresh && isSigned && isJson ? JSON.parse(body) : undefined
    },
  },
  Twilio: {
    sender: (url, responseMs = 10_000) => createSmsSender({ twilio: { ...account, url, responseMs } }),
    wrongSecret: (url) => createSmsSender({ twilio: { ...account, authToken: 'another token', url } }),
    read({ method, url, headers }, body) {
      const credentials = Buffer.from(`${account.accountSid}:${account.authToken}`).toString('base64')
      const isKnown = headers.authorization === `Basic ${credentials}`
      const isMessages = method === 'POST' && url === `/2010-04-01/Accounts/${account.accountSid}/Messages.json`
      const isForm = headers['content-type'] === 'application/x-www-form-urlencoded'
      const { To = '', Body = '', ...from } = Object.fromEntries(new URLSearchParams(body))
      return isKnown && isMessages && isForm ? { to: To, text: Body, from } : undefined
    },
  },
}

for (const [name, gateway] of Object.entries(gateways)) {
  describe(`SMS by ${name}`, () => {
    let server: Server
    let address: string
    let sender: SmsSender
    let answer: { status: number; headers?: Record<string, string> } | 'hang' | 'drop'
    let received: Received[]

    before(async () => {
      server = createServer(async (request, reply) => {
        if (answer === 'hang') return
        if (answer === 'drop') return void request.socket.destroy()
        const message = gateway.read(request, await textOf(request))
        if (message) received.push(message)
        reply.writeHead(message ? answer.status : 401, answer.headers).end('{"said":"+4915112345678"}')
      })
      await once(server.listen(0, '127.0.0.1'), 'listening')
      address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      sender = gateway.sender(address)
    })
    beforeEach(() => {
      answer = { status: 201 }
      received = []
    })
    after(async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    })

    smsContract(
      () => sender,
      async (to) => received.find((message) => message.to === to) ?? assert.fail(`no message to ${to}`),
    )

    const failure = async (): Promise<Error> => {
      const error = await sender.send(sms, 'sms-2').then(
        () => assert.fail('the message went out'),
        (error: unknown) => error,
      )
      assert.ok(error instanceof Error)
      assert.doesNotMatch(JSON.stringify([error.message, error.stack, error.cause]), /49151|123456|hidden|AC000/)
      return error
    }

    test('a wrong secret is noticed by the gateway', async () => {
      await assert.rejects(gateway.wrongSecret(address).send(sms, 'sms-4'), SmsRejected)
      assert.deepEqual(received, [])
    })

    test('4xx is a rejection for good, save those that say "later"', async () => {
      for (const status of [400, 401, 404, 422]) {
        answer = { status }
        assert.ok((await failure()) instanceof SmsRejected, `${status}`)
      }
      for (const status of [408, 425, 429, 500, 503]) {
        answer = { status }
        assert.ok(!((await failure()) instanceof SmsRejected), `${status}`)
      }
    })

    test('a redirect is not followed', async () => {
      answer = { status: 307, headers: { location: `${address}/elsewhere` } }
      assert.match((await failure()).message, /307/)
      assert.equal(received.length, 1)
    })

    test('a gateway that breaks off or is unavailable does not count as a rejection', async () => {
      answer = 'drop'
      assert.ok(!((await failure()) instanceof SmsRejected))
    })

    test('a gateway that hangs is abandoned', async () => {
      answer = 'hang'
      const start = performance.now()
      await assert.rejects(gateway.sender(address, 100).send(sms, 'sms-5'), /in time/)
      assert.ok(performance.now() - start < 5_000)
    })

    if (name === 'Twilio') {
      test('the sender is a number of the account, or the messaging service that picks one', async () => {
        await sender.send(sms, 'sms-6')
        const service = `MG${'1'.repeat(32)}`
        await createSmsSender({ twilio: { ...account, from: service, url: address } }).send(sms, 'sms-7')
        const from = received.map((message) => message.from)
        assert.deepEqual(from, [{ From: account.from }, { MessagingServiceSid: service }])
      })
    } else {
      test('the message carries its id, so that the gateway can drop a repetition', async () => {
        await sender.send(sms, 'sms-3')
        assert.deepEqual(received, [{ id: 'sms-3', ...sms }])
      })
    }
  })
}

describe('SMS into the development inbox', () => {
  const inbox = openInbox(undefined)
  smsContract(
    () => createSmsSender({ inbox }),
    async (to) => inbox.list({ to }).at(-1) ?? assert.fail(`no message to ${to}`),
  )
})

test('without a sender, features know this in advance, and no message is lost silently', async () => {
  const sender = createSmsSender({})
  assert.equal(sender.isConfigured, false)
  await assert.rejects(sender.send(sms, 'sms-6'), /SMS_WEBHOOK_URL/)
})
