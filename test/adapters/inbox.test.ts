import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openInbox } from '../../src/adapters/inbox/inbox.ts'

describe('the development inbox', () => {
  let directory: string
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'wardenry-inbox-'))
  })
  after(() => rmSync(directory, { recursive: true }))

  const mail = (to: string, subject: string) => ({ channel: 'mail' as const, to, subject, text: 't', html: '<p>t</p>' })
  const subjects = (inbox: ReturnType<typeof openInbox>) => inbox.list().map(({ subject }) => subject)

  test('lists what was added, the newest last, by receiver and by time', () => {
    let time = Date.parse('2030-01-01T00:00:00.000Z')
    const inbox = openInbox(undefined, { now: () => time })
    inbox.add(mail('ada@example.com', 'one'))
    time += 1_000
    inbox.add(mail('grace@example.com', 'two'))
    const last = inbox.add({ channel: 'sms', to: '+4915112345678', subject: '', text: '123456', html: '' })
    assert.deepEqual(subjects(inbox), ['one', 'two', ''])
    assert.deepEqual(
      inbox.list({ to: 'ADA@example.com' }).map(({ subject, created_at }) => [subject, created_at]),
      [['one', '2030-01-01T00:00:00.000Z']],
    )
    assert.equal(inbox.list({ since: '2030-01-01T00:00:01.000Z' }).length, 2)
    assert.deepEqual(inbox.list({ to: '+4915112345678', since: last.created_at }), [last])
    assert.equal(new Set(inbox.list().map(({ id }) => id)).size, 3)
  })

  test('survives a restart in a file that only its owner can read', () => {
    const file = join(directory, 'restart.jsonl')
    openInbox(file).add(mail('ada@example.com', 'one'))
    const again = openInbox(file)
    again.add(mail('ada@example.com', 'two'))
    assert.deepEqual(openInbox(file).list(), again.list())
    assert.deepEqual(subjects(again), ['one', 'two'])
    assert.equal(statSync(file).mode & 0o777, 0o600)
  })

  test('an incomplete line of a killed process loses only that message', () => {
    const file = join(directory, 'torn.jsonl')
    openInbox(file).add(mail('ada@example.com', 'one'))
    appendFileSync(file, '{"id":"2","channel":"ma')
    openInbox(file).add(mail('ada@example.com', 'three'))
    assert.deepEqual(subjects(openInbox(file)), ['one', 'three'])
  })

  test('keeps the last five hundred, and the file stays within twice as many', () => {
    const file = join(directory, 'many.jsonl')
    const inbox = openInbox(file)
    for (let n = 1; n <= 1_700; n++) {
      inbox.add(mail('ada@example.com', String(n)))
      if (n % 100 === 0) assert.ok(readFileSync(file, 'utf8').split('\n').length <= 1_001)
    }
    const expected = Array.from({ length: 500 }, (_, index) => String(1_201 + index))
    assert.deepEqual(subjects(inbox), expected)
    assert.deepEqual(subjects(openInbox(file)), expected)
    assert.equal(statSync(file).mode & 0o777, 0o600)
  })
})
