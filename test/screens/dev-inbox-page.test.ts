import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InboxMessage } from '../../src/adapters/inbox/inbox.ts'
import { renderMessage } from '../../src/outbox/render-message.ts'
import { devInboxPage, previewDocument, withLinks } from '../../src/screens/start/dev-inbox/view.ts'
import { startTestApp } from '../support/test-app.ts'
import { contextFor, nonce, tagsOf, textOf } from './all-pages.ts'

const page = contextFor('en')
const url = 'https://id.example.com/auth/token/verify?token=abc&x=1'
const rendered = renderMessage('verify_email', 'en', {
  code: '271828',
  code_expires_in: '600',
  app_name: 'Wardenry',
  name: 'Ada',
  time: '2026-01-31T12:00:00.000Z',
  url,
  expires_in: '86400',
})
const mail = (id: string, created_at: string): InboxMessage => ({
  id,
  channel: 'mail',
  to: 'ada@example.com',
  ...rendered,
  created_at,
})

test('the newest message comes first and is open', () => {
  const messages = [mail('old', '2026-01-31T12:00:00.000Z'), mail('new', '2026-01-31T12:00:01.000Z')]
  const shown = tagsOf(devInboxPage({ messages, to: '' }, page)).filter(({ name }) => name === 'details')
  assert.deepEqual(
    shown.map(({ attributes }) => [attributes.id, 'open' in attributes]),
    [
      ['m-new', true],
      ['m-old', false],
    ],
  )
})

test('the link of a mail works in the text and in the framed mail', () => {
  const html = devInboxPage({ messages: [mail('one', '2026-01-31T12:00:00.000Z')], to: '' }, page)
  const tags = tagsOf(html)
  assert.ok(tags.some(({ attributes }) => attributes.href === url && attributes.rel === 'noreferrer'))
  const frame = tags.find(({ name }) => name === 'iframe')
  assert.ok(tagsOf(frame?.attributes.srcdoc ?? '').some(({ attributes }) => attributes.href === url))
})

test('a framed mail runs no script and knows nothing of the page', () => {
  const html = devInboxPage({ messages: [mail('one', '2026-01-31T12:00:00.000Z')], to: '' }, page)
  const frame = tagsOf(html).find(({ name }) => name === 'iframe')
  assert.equal(frame?.attributes.sandbox, 'allow-popups allow-popups-to-escape-sandbox')
})

test('the banner says that this is for development, and the filter keeps its value', () => {
  const html = devInboxPage({ messages: [], to: 'grace@example.com' }, page)
  assert.match(textOf(html), /Development only/)
  assert.match(textOf(html), /No messages for this recipient/)
  assert.ok(tagsOf(html).some(({ attributes }) => attributes.name === 'to' && attributes.value === 'grace@example.com'))
})

test('data passed to the script cannot end its element', () => {
  const to = '</script><!--<script>'
  const html = devInboxPage({ messages: [], to }, page)
  const settings = /<script type="application\/json" id="settings">(.*?)<\/script>/s.exec(html)?.[1]
  assert.equal(JSON.parse(settings ?? '{}').to, to)
  assert.doesNotMatch(settings ?? '', /</)
})

test('a text message has no frame, and its first words stand for the subject', () => {
  const sms = {
    ...mail('sms', '2026-01-31T12:00:00.000Z'),
    channel: 'sms',
    subject: '',
    html: '',
    text: 'Code 123456',
  }
  const html = devInboxPage({ messages: [sms as InboxMessage], to: '' }, page)
  assert.ok(!tagsOf(html).some(({ name }) => name === 'iframe'))
  assert.match(html, /class="subject"><bdi>Code 123456</)
})

test('only web addresses become links, without the punctuation behind them', () => {
  const links = (text: string) => withLinks(text).flatMap(({ href }) => href ?? [])
  assert.deepEqual(links('See https://a.example/x?y=1&z=2, or (http://b.example).'), [
    'https://a.example/x?y=1&z=2',
    'http://b.example',
  ])
  assert.deepEqual(links('javascript:alert(1) //evil.example ftp://x data:text/html,x'), [])
  assert.deepEqual(links('https://a.example/"><script>alert(1)</script>'), ['https://a.example/'])
  const text = 'a https://a.example b'
  assert.equal(
    withLinks(text)
      .map((piece) => piece.text)
      .join(''),
    text,
  )
})

test('the preview of a mail keeps its style under a policy that allows the nonce only', () => {
  const preview = previewDocument(rendered.html, nonce)
  const tags = tagsOf(preview)
  assert.ok(tags.every(({ attributes }) => !('style' in attributes)))
  assert.ok(tags.filter(({ name }) => name === 'style').every(({ attributes }) => attributes.nonce === nonce))
  assert.match(preview, /\[data-rule="0"\]\{margin: 0;/)
  assert.equal(textOf(preview), textOf(rendered.html))
})

test('the inbox as JSON begins with the newest message', async (t) => {
  const app = await startTestApp()
  t.after(() => app.stop())
  const message = { channel: 'mail', to: 'ada@example.com', subject: '', text: '', html: '' } as const
  const ids = ['first', 'second', 'third']
  for (const id of ids) app.inbox?.add({ ...message, id })
  const here = { from: '127.0.0.1', headers: { host: 'localhost' } }
  const listed = async (query: string) =>
    (await app.get(`/dev/inbox.json${query}`, here)).json.map(({ id }: { id: string }) => id)
  assert.deepEqual(await listed(''), ids.toReversed())
  assert.deepEqual(await listed('?to=ada@example.com'), ids.toReversed())
})
