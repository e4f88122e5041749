import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { diffLines } from '../../../src/lib/line-diff.ts'
import { newestMessage, putOff, register } from '../../outbox/support.ts'
import { withSession } from '../../support/people.ts'
import { type SmtpSink, startSmtpSink } from '../../support/smtp-sink.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { tagsOf, textOf } from '../all-pages.ts'
import { staffOf } from './support.ts'

let app: TestApp
let sink: SmtpSink
before(async () => {
  sink = await startSmtpSink()
  app = await startTestApp({ env: { SMTP_URL: sink.url, REAUTH_WINDOW: '1h', RATE_LIMIT_LOGIN: '1000/15m' } })
})
after(async () => {
  await app?.stop()
  await sink?.stop()
})

const list = '/admin/messages'
const editor = `${list}/templates/password_reset/en`
const draft = { subject: 'New words', text: 'Hello {{name}},\r\n\r\nGo:\r\n{{url}}', html: '' }

/** The editor form's token, which is also sent to the preview. */
const tokenOf = (html: string): string =>
  /name="form_token" value="([^"]+)">\s*<input type="hidden" name="version"/.exec(html)?.[1] ?? ''

test('an administrator sees a waiting message and sends it now', async () => {
  const admin = await staffOf(app, 'admin')
  sink.failAt('from', 451)
  const email = await register(app)
  await putOff(app)
  const page = await admin.open(`${list}?state=queued`)
  assert.equal(page.status, 200)
  assert.match(textOf(page.text), /Email verification\s+Waiting/)
  assert.match(textOf(page.text), /a\*\*\*@example\.com/)
  assert.equal(page.text.includes(email), false)
  await sink.heal()
  const sent = await admin.send(`${list}/retry`, { id: (await newestMessage(app, () => true)).id })
  assert.equal(sent.headers.location, `${list}?done=retried&count=1`)
  await sink.waitFor(email)
  await newestMessage(app, ({ status }) => status === 'sent')
  assert.match(
    textOf((await admin.open(`${list}?state=sent`)).text),
    /Email verification\s+Sent\s+Email · recipient erased/,
  )
})

test('a superadmin replaces a message, without a script', async () => {
  const root = await staffOf(app, 'superadmin')
  assert.match((await root.open(`${list}/templates`)).text, /href="\/admin\/messages\/templates\/password_reset\/en"/)
  assert.match(textOf((await root.open(editor)).text), /Built-in text/)
  const saved = await root.send(editor, { ...draft, version: '0', action: 'save' })
  assert.equal(saved.headers.location, `${editor}?done=saved`)
  const page = await root.open(`${editor}?done=saved`)
  assert.match(textOf(page.text), /The next message uses this text/)
  assert.match(page.text, /value="New words"/)
  assert.match(page.text, /The header and the colours come from your brand\..*href="\/admin\/settings\/brand"/)
  const listed = (await (await staffOf(app, 'admin')).open(`${list}/templates`)).text
  assert.match(textOf(listed), /Password reset\s+Your text: English\s+English\s*: Password reset/)
  const stale = await root.send(editor, { ...draft, subject: 'Mine', version: '0', action: 'save' })
  assert.equal(stale.status, 409)
  assert.match(textOf(stale.text), /Somebody else changed this message/)
  assert.match(stale.text, /value="Mine"/, 'the draft stays in the form')
  await root.open(editor)
  assert.equal((await root.send(editor, { ...draft, subject: 'Third', version: '1', action: 'save' })).status, 303)
  const earlier = await root.open(`${editor}/versions/1`)
  assert.match(earlier.text, /<del>New words<\/del>/)
  assert.match(earlier.text, /<ins>Third<\/ins>/)
  assert.equal((await root.send(editor, { action: 'save' })).status, 303)
  assert.match((await root.open(editor)).text, /value="New words"/, 'the earlier version is in use again')
  const reset = await root.send(editor, { ...draft, version: '3', action: 'reset' })
  assert.equal(reset.headers.location, `${editor}?done=reset`)
})

test('a refused draft keeps its text and marks its fields', async () => {
  const root = await staffOf(app, 'superadmin')
  await root.open(editor)
  const bad = {
    version: '3',
    subject: '</title><script>alert(1)</script>',
    text: 'No link {{constructor}}',
    html: '<svg>',
  }
  const reply = await root.send(editor, { ...bad, action: 'save' })
  assert.equal(reply.status, 400)
  assert.match(reply.text, /<ul>\s*<li><a href="#text">/)
  assert.match(reply.text, /data-preview="draft" data-unsaved="draft"/)
  assert.match(reply.text, /id="text-problem"/)
  assert.match(reply.text, /id="html-problem"/)
  assert.doesNotMatch(reply.text, /<script>alert/)
})

test('the preview is a document of its own that executes and loads nothing', async () => {
  const root = await staffOf(app, 'superadmin')
  const page = await root.open(editor)
  const frame = tagsOf(page.text).find(({ name }) => name === 'iframe')
  assert.equal(frame?.attributes.sandbox, '')
  const stored = await root.open(`${editor}/frame?theme=dark`)
  assert.equal(stored.status, 200)
  const policy = String(stored.headers['content-security-policy'])
  assert.equal(
    policy,
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; frame-ancestors 'self'; form-action 'none'; base-uri 'none'; sandbox",
  )
  assert.match(stored.text, /@media all/)
  const frameForm = { ...draft, form_token: tokenOf(page.text) }
  const drawn = await root.send(`${editor}/frame`, { ...frameForm, html: '<p>Mine {{url}}</p>', theme: 'light' })
  assert.match(drawn.text, /Mine http/)
  const hostile = await root.send(`${editor}/frame`, { ...frameForm, html: '<script>alert(1)</script>' })
  assert.doesNotMatch(hostile.text, /<script/)
  assert.match(textOf(hostile.text), /Must not contain <script>/)
})

test('the problems of a template are in Spanish on Spanish pages', async () => {
  const root = await staffOf(app, 'superadmin')
  await app.call('PUT', '/auth/profile', { ...withSession(root.sessionToken), body: { lang: 'es' } })
  const page = await root.open(editor)
  const [, version = ''] = /name="version" value="(\d+)"/.exec(page.text) ?? []
  const bad = { ...draft, version, form_token: tokenOf(page.text), text: 'No link', html: '<script>alert(1)</script>' }
  const reply = await root.send(editor, { ...bad, action: 'save' })
  assert.match(reply.text, /<p class="problem" id="text-problem" lang="es">Debe contener /)
  assert.match(reply.text, /<p class="problem" id="html-problem" lang="es">No debe contener /)
  const frame = await root.send(`${editor}/frame`, bad)
  assert.match(frame.text, /<strong>Código HTML:<\/strong> <span lang="es">No debe contener &lt;script&gt;/)
})

test('administrators read the editor, and the form of another page changes nothing', async () => {
  const admin = await staffOf(app, 'admin')
  const page = await admin.open(editor)
  assert.match(textOf(page.text), /Only superadmins can change messages/)
  assert.doesNotMatch(page.text, /value="save"/)
  const support = await staffOf(app, 'support')
  assert.equal((await support.open(list)).status, 403)
  const root = await staffOf(app, 'superadmin')
  await root.open(editor)
  const forged = await root.send(editor, { ...draft, version: '4', action: 'save', form_token: 'forged' })
  assert.equal(forged.status, 400)
  const { rows } = await sql<{ version: number }>`SELECT max(version) AS version FROM message_templates
    WHERE name = 'password_reset'`.execute(app.ctx.db)
  assert.equal(rows[0]?.version, 4)
})

test('the list of templates has groups in the order in which people meet the messages', async () => {
  const admin = await staffOf(app, 'admin')
  const { text } = await admin.open(`${list}/templates`)
  const titles = [...text.matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, title]) => title)
  assert.deepEqual(titles.slice(0, 2), ['Registration and sign-in', 'Changes to an account'])
  const { data } = (await app.get('/auth/admin/messages', withSession(admin.sessionToken))).json
  const shown = [...text.matchAll(/templates\/([a-z_]+)\/en"/g)].map(([, name]) => name)
  assert.deepEqual(shown.toSorted(), data.messages.map(({ name }: { name: string }) => name).toSorted())
})

test('a difference has the lines of both texts, in order', () => {
  const lines = diffLines('a\nb\nc\nd', 'a\nx\nc\nd\ne')
  assert.deepEqual(
    lines.map(({ kind, text }) => `${kind} ${text}`),
    ['same a', 'removed b', 'added x', 'same c', 'same d', 'added e'],
  )
  const long = Array(600).fill('x').join('\n')
  assert.equal(diffLines(long, long).length, 600)
})
