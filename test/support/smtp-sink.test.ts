import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { createTransport } from 'nodemailer'
import { type SmtpSink, type Stage, startSmtpSink } from './smtp-sink.ts'

describe('the SMTP sink', () => {
  let sink: SmtpSink
  before(async () => {
    sink = await startSmtpSink()
  })
  after(() => sink.stop())
  afterEach(() => sink.heal())

  test('keeps the mails of a real sender, decoded', async () => {
    const html = `<p>${'Grüße und sehr lange Zeilen = '.repeat(10)}</p>`
    await send(sink.url, { to: 'ada@example.test', subject: 'Willkommen, Ädä', text: 'Code: 123456 – gültig', html })
    const mail = await sink.waitFor('ada@example.test', 'Willkommen')
    assert.equal(mail.subject, 'Willkommen, Ädä')
    assert.equal(mail.text.trim(), 'Code: 123456 – gültig')
    assert.equal(mail.html.trim(), html)
    assert.deepEqual(mail.envelope, { from: 'service@example.test', to: ['ada@example.test'] })
  })

  test('hands out each mail once, in order, waiting for those to come', async () => {
    const first = sink.waitFor('grace@example.test', /code/i)
    await send(sink.url, { to: 'grace@example.test', subject: 'Something else' })
    await send(sink.url, { to: 'grace@example.test', subject: 'Your code', text: 'one' })
    await send(sink.url, { to: 'grace@example.test', subject: 'Your code', text: 'two' })
    assert.equal((await first).text.trim(), 'one')
    assert.equal((await sink.waitFor('grace@example.test', /code/i)).text.trim(), 'two')
    await assert.rejects(sink.waitFor('grace@example.test', /code/i, 30), /no mail .* within 30 ms; .*Something else/)
  })

  const stages: Stage[] = ['connect', 'from', 'to', 'data']
  for (const stage of stages) {
    test(`refuses at the stage "${stage}" with the code it was given`, async () => {
      for (const code of [451, 550]) {
        sink.failAt(stage, code)
        await assert.rejects(send(sink.url), { responseCode: code })
      }
    })
  }

  test('hangs or drops the connection when told to, and keeps nothing', async () => {
    const before = sink.mails.length
    sink.failAt('data', 'drop')
    await assert.rejects(send(sink.url), { code: 'ECONNECTION' })
    sink.failAt('data', 'hang')
    await assert.rejects(send(`${sink.url}?socketTimeout=300`), { code: 'ETIMEDOUT' })
    assert.equal(sink.mails.length, before)
  })

  test('lets nobody connect while it refuses, and listens at the same address again', async () => {
    await sink.refuse()
    await assert.rejects(send(sink.url), { code: 'ESOCKET' })
    await sink.heal()
    await send(sink.url, { to: 'alan@example.test' })
    await sink.waitFor('alan@example.test')
  })

  test('asks for a login when one is set', async () => {
    const closed = await startSmtpSink({ login: { user: 'ada', pass: 'p@ss' } })
    await send(closed.url)
    await assert.rejects(send(closed.url.replace('p%40ss', 'wrong')), { responseCode: 535 })
    closed.failAt('auth', 454)
    await assert.rejects(send(closed.url), { responseCode: 454 })
    await closed.stop()
  })
})

async function send(url: string, mail: { to?: string; subject?: string; text?: string; html?: string } = {}) {
  const transport = createTransport(url)
  await transport.sendMail({ from: 'service@example.test', to: 'ada@example.test', subject: 'Hi', text: 'Hi', ...mail })
}
