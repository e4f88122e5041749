import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { openInbox } from '../../src/adapters/inbox/inbox.ts'
import { createMailer } from '../../src/adapters/mail/index.ts'
import { type Mailer, MailRejected } from '../../src/adapters/mail/port.ts'
import { createSmtpMailer } from '../../src/adapters/mail/smtp.ts'
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts'
import { ada, mailContract } from './mail.contract.ts'

const from = () => 'Example, the app <no-reply@mail.example.com>'
const noLog = { warn: () => assert.fail('nothing to log') }

describe('mail over SMTP', () => {
  let sink: SmtpSink
  let mailer: Mailer
  before(async () => {
    sink = await startSmtpSink({ login: { user: 'wardenry', pass: 'pass word' } })
    mailer = await createSmtpMailer({ url: withLogin(sink.url), from, stageMs: 400 })
  })
  afterEach(() => sink.heal())
  after(async () => {
    await mailer.close()
    await sink.stop()
  })
  const withLogin = (url: string) => Object.assign(new URL(url), { username: 'wardenry', password: 'pass word' }).href

  mailContract(
    () => mailer,
    (to) => sink.waitFor(to),
  )

  async function failure(): Promise<Error> {
    try {
      await mailer.send(ada, 'mail-2')
    } catch (error) {
      assert.ok(error instanceof Error)
      assert.doesNotMatch(
        JSON.stringify([error.message, error.stack, error.cause, { ...error }]),
        /ada@|a-secret|pass word/,
      )
      return error
    }
    return assert.fail('the mail went out')
  }

  test('the headers say who sends, under which id, that no person wrote it, and nothing about the software', async () => {
    await mailer.send({ ...ada, to: 'headers@example.com' }, '0199-abc')
    const { headers, envelope } = await sink.waitFor('headers@example.com')
    assert.equal(headers.get('message-id'), '<0199-abc@mail.example.com>')
    assert.match(headers.get('from') ?? '', /^"?Example, the app"? <no-reply@mail\.example\.com>$/)
    assert.equal(headers.get('auto-submitted'), 'auto-generated')
    assert.deepEqual(envelope, { from: 'no-reply@mail.example.com', to: ['headers@example.com'] })
    const allowed = ['from', 'to', 'subject', 'message-id', 'date', 'mime-version', 'content-type', 'auto-submitted']
    assert.deepEqual([...headers.keys()].sort(), [...allowed].sort())
  })

  test('a recipient refused with 5xx is refused for good', async () => {
    for (const code of [550, 551, 553, 554]) {
      sink.failAt('to', code)
      const error = await failure()
      assert.ok(error instanceof MailRejected && error.permanent)
      assert.match(error.message, new RegExp(`${code}`))
    }
  })

  test('a temporary failure does not count as a rejection', async () => {
    const temporary: [Parameters<SmtpSink['failAt']>[0], Parameters<SmtpSink['failAt']>[1]][] = [
      ['to', 450],
      ['to', 452],
      ['to', 552],
      ['from', 451],
      ['from', 550],
      ['data', 451],
      ['data', 554],
      ['to', 'drop'],
    ]
    for (const [stage, fault] of temporary) {
      await sink.heal()
      sink.failAt(stage, fault)
      const error = await failure()
      assert.ok(!(error instanceof MailRejected), `${stage} ${fault}`)
      if (typeof fault === 'number') assert.match(error.message, new RegExp(`${fault}`))
    }
    await sink.heal()
    await mailer.send({ ...ada, to: 'after@example.com' }, 'mail-3')
    await sink.waitFor('after@example.com')
  })

  for (const stage of ['connect', 'auth', 'from', 'to', 'data'] as const) {
    test(`a server that hangs at ${stage} takes no longer than the limit per stage`, async () => {
      const fresh = await createSmtpMailer({ url: withLogin(sink.url), from, stageMs: 400 })
      sink.failAt(stage, 'hang')
      const start = performance.now()
      await assert.rejects(fresh.send(ada, 'mail-4'), (error) => !(error instanceof MailRejected))
      const took = performance.now() - start
      assert.ok(took > 300 && took < 8_000, `${took}`)
      await fresh.close()
    })
  }

  test('a wrong password and a server that is away are no rejections, and the password stays unsaid', async () => {
    sink.failAt('auth', 535)
    const other = await createSmtpMailer({ url: withLogin(sink.url), from })
    await assert.rejects(other.send(ada, 'mail-5'), /535/)
    await other.close()
    await sink.refuse()
    const gone = await createSmtpMailer({ url: withLogin(sink.url), from })
    await assert.rejects(gone.send(ada, 'mail-6'), (error) => error instanceof Error && !/pass/.test(error.message))
    await gone.close()
  })

  test('nothing that was stored can add a header, a recipient or a second command', async () => {
    const before = sink.mails.length
    const addresses = [
      'ada@example.com, grace@example.com',
      'ada@example.com;grace@example.com',
      'ada@example.com\r\nBcc: grace@example.com',
      'ada@example.com> RCPT TO:<grace@example.com',
      '<ada@example.com>',
      'Ada <ada@example.com>',
      'ada',
      '',
    ]
    for (const to of addresses) await assert.rejects(mailer.send({ ...ada, to }, 'mail-7'), MailRejected, to)
    for (const subject of ['Hi\r\nBcc: grace@example.com', 'Hi\nX: y', 'Hi\0']) {
      await assert.rejects(mailer.send({ ...ada, subject }, 'mail-8'), /one line/)
    }
    for (const id of ['a\r\nb', 'a b', '<a>', 'a@b', '']) await assert.rejects(mailer.send(ada, id), /one line/)
    assert.equal(sink.mails.length, before)
    await mailer.send({ ...ada, subject: '=?utf-8?q?Bcc=3A?=', text: '.\r\nRSET\r\n', to: 'dot@example.com' }, 'mail-9')
    assert.match((await sink.waitFor('dot@example.com')).text, /^\.\r?\nRSET/)
  })

  test('a password is not sent in clear text unless the operator allows it', async () => {
    // The connection reaches the sink, but the service does not consider this a loopback address.
    const url = withLogin(sink.url).replace('127.0.0.1', '0.0.0.0')
    const careful = await createSmtpMailer({ url, from })
    await assert.rejects(careful.send(ada, 'mail-10'), /STARTTLS/)
    await careful.close()
    const told = await createSmtpMailer({ url: `${url}?ignoreTLS=true`, from })
    await told.send({ ...ada, to: 'told@example.com' }, 'mail-11')
    await sink.waitFor('told@example.com')
    await told.close()
  })

  test('a sender that is no address stops the start with the name of the setting', async () => {
    for (const wrong of ['', 'Example', 'Example <>', 'a@b.c\r\nBcc: x@y.z', '<a@b.c>, <d@e.f>']) {
      await assert.rejects(createSmtpMailer({ url: sink.url, from: () => wrong }), /MAIL_FROM/)
    }
    const plain = await createSmtpMailer({ url: withLogin(sink.url), from: () => 'no-reply@example.com' })
    await plain.send({ ...ada, to: 'plain@example.com' }, 'mail-12')
    assert.equal((await sink.waitFor('plain@example.com')).from, 'no-reply@example.com')
    await plain.close()
  })
})

test('failures of the mail server are reported by what failed, and a refused recipient by itself', async (t) => {
  const sink = await startSmtpSink({ login: { user: 'wardenry', pass: 'pass word' } })
  t.after(() => sink.stop())
  const outcomes: string[] = []
  const mailerWith = (password: string, url = sink.url) =>
    createSmtpMailer({
      url: Object.assign(new URL(url), { username: 'wardenry', password }).href,
      from,
      stageMs: 400,
      onError: (outcome) => outcomes.push(outcome),
    })
  const mailer = await mailerWith('pass word')
  const faults: [Parameters<SmtpSink['failAt']>[0], Parameters<SmtpSink['failAt']>[1], string][] = [
    ['to', 550, 'recipient_refused'],
    ['to', 450, 'deferred'],
    ['to', 552, 'rejected'],
    ['data', 554, 'rejected'],
    ['data', 451, 'deferred'],
    ['to', 'drop', 'connection'],
  ]
  for (const [stage, fault] of faults) {
    sink.failAt(stage, fault)
    await assert.rejects(mailer.send(ada, 'mail-20'))
    await sink.heal()
  }
  await mailer.send(ada, 'mail-21')
  await mailer.close()
  const wrong = await mailerWith('another word')
  await assert.rejects(wrong.send(ada, 'mail-22'))
  await wrong.close()
  const encrypted = await mailerWith('pass word', sink.url.replace('smtp:', 'smtps:'))
  await assert.rejects(encrypted.send(ada, 'mail-23'))
  await encrypted.close()
  assert.deepEqual(outcomes, [...faults.map(([, , outcome]) => outcome), 'authentication', 'tls'])
})

describe('mail into the development inbox', () => {
  const inbox = openInbox(undefined)
  let mailer: Mailer
  before(async () => {
    mailer = await createMailer({ smtpUrl: undefined, from, inbox, log: noLog })
  })
  mailContract(
    () => mailer,
    async (to) => inbox.list({ to }).at(-1) ?? assert.fail(`no mail to ${to}`),
  )
})

test('production without a mail server logs that an email was not sent, but neither recipient nor content', async () => {
  const lines: unknown[] = []
  const log = { warn: (...line: unknown[]) => lines.push(line) }
  const mailer = await createMailer({ smtpUrl: undefined, from, inbox: undefined, log })
  await mailer.send(ada, 'mail-13')
  assert.deepEqual(lines, [[{ mail_id: 'mail-13' }, 'mail not sent: SMTP_URL is not set']])
})
