import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { day, hour } from '../../src/lib/time.ts'
import { person, registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts'
import { type Reply, startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let sink: SmtpSink
let root: SignedIn
before(async () => {
  sink = await startSmtpSink()
  app = await startTestApp({ env: { SMTP_URL: sink.url, REAUTH_WINDOW: '1h' } })
  root = await signedInAs(app, 'superadmin')
  await sql`UPDATE users SET is_verified = true WHERE id = ${root.id}`.execute(app.ctx.db)
})
after(async () => {
  await app?.stop()
  await sink?.stop()
})

const base = '/auth/admin/messages'
const reset = `${base}/password_reset/en`
const as = (who: SignedIn) => withSession(who.sessionToken)
const get = (path: string, who = root) => app.get(path, as(who))
const put = (path: string, body: unknown, who = root) => app.call('PUT', path, { ...as(who), body })
const remove = (path: string, who = root) => app.call('DELETE', path, as(who))
const versionOf = async (path = reset): Promise<number> => (await get(path)).json.data.version

const template = (subject: string, more: Record<string, unknown> = {}) => ({
  subject,
  text: 'Hello {{name}},\n\nSet a new password:\n{{url}}',
  ...more,
})
async function save(body: Record<string, unknown>, path = reset): Promise<Reply> {
  const reply = await put(path, { version: await versionOf(path), ...body })
  assert.equal(reply.status, 200, reply.text)
  return reply
}
const problems = ({ json }: Reply) => json.details.map(({ field }: { field: string }) => field)

test('the list shows every message with the state of each language', async () => {
  const { status, json } = await get(base)
  assert.equal(status, 200)
  assert.deepEqual(json.data.languages, ['en', 'es'])
  const message = json.data.messages.find(({ name }: { name: string }) => name === 'password_reset')
  assert.deepEqual(message, {
    name: 'password_reset',
    channel: 'mail',
    customizable: true,
    templates: ['en', 'es'].map((language) => ({
      language,
      state: 'built_in',
      version: 0,
      changed_at: null,
      changed_by: null,
    })),
  })
})

test('a message without a template shows the built-in text with its placeholders', async () => {
  const { data } = (await get(`${base}/verify_email/es`)).json
  assert.equal(data.state, 'built_in')
  assert.deepEqual([data.subject, data.text, data.html], [data.built_in.subject, data.built_in.text, null])
  assert.match(data.text, /\{\{url\}\}/)
  assert.match(data.generated_html, /<a class="button" href="\{\{url\}\}">/)
  assert.deepEqual(data.required_variables, [['url', 'code']])
  assert.deepEqual(data.subject_variables, ['app_name'])
})

test('a template replaces the message in its language, from the next mail on', async () => {
  const html = '<p>Hello {{name}},</p><p><a class="button" href="{{url}}">New password</a></p>'
  await save(template('Reset at {{app_name}}', { html }))
  const ada = await registered(app, 'ada', { name: 'Ada {{url}} <b>' })
  await sql`UPDATE users SET is_verified = true WHERE id = ${ada.id}`.execute(app.ctx.db)
  await app.post('/auth/password-reset/request', { email: ada.email })
  const mail = await sink.waitFor(ada.email, /^Reset at/)
  const [, token] = /token=([\w-]+)/.exec(mail.text) ?? []
  assert.ok(token)
  assert.match(mail.text, /^Hello Ada \{\{url\}\} <b>,\r?\n\r?\nSet a new password:\r?\nhttp/)
  assert.ok(mail.html.includes('<p style="margin: 0 0 16px;">Hello Ada {{url}} &lt;b&gt;,</p>'))
  assert.match(
    mail.html,
    new RegExp(`<a href="[^"]+token=${token}[^"]*" class="button" style="[^"]+">New password</a>`),
  )

  const spanish = await registered(app, 'ada', { lang: 'es' })
  await app.post('/auth/password-reset/request', { email: spanish.email })
  const other = await sink.waitFor(spanish.email, /contraseña/)
  assert.match(other.text, /^Hola/)
})

test('a change needs the version that its author has seen', async () => {
  const version = await versionOf()
  const both = await Promise.all([
    put(reset, { version, ...template('One') }),
    put(reset, { version, ...template('Two') }),
  ])
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409])
  const loser = await put(reset, { version, ...template('Three') })
  assert.equal(loser.json.code, 'EDIT_CONFLICT')
  assert.equal((await put(reset, { version: version + 5, ...template('Four') })).json.code, 'EDIT_CONFLICT')
  assert.equal((await remove(`${reset}?version=${version}`)).json.code, 'EDIT_CONFLICT')
  assert.equal(await versionOf(), version + 1)
})

test('a refused template names its fields and changes nothing', async () => {
  const version = await versionOf()
  const before = await rowCounts(app)
  const bad = { version, subject: 'a\r\nBcc: x@y.example', text: 'Hello {{constructor}}', html: '<script>1</script>' }
  const reply = await put(reset, bad)
  assert.equal(reply.status, 400)
  assert.deepEqual(problems(reply), ['subject', 'text', 'html'])
  assert.deepEqual(problems(await put(reset, { version, ...template('x'), text: 'No link' })), ['text'])
  assert.deepEqual(problems(await put(reset, template('x'))), ['version'])
  for (const wrong of [-1, 1.5, 2 ** 40, '1x', null])
    assert.deepEqual(problems(await put(reset, { ...template('x'), version: wrong })), ['version'])
  assert.equal((await put(reset, { version, ...template('x'), text: 'x'.repeat(200_000) })).status, 413)
  assert.equal(await versionOf(), version)
  assert.deepEqual(await rowCounts(app), before)
})

test('unknown messages, languages and versions are not found', async () => {
  for (const path of [
    'nothing/en',
    'password_reset/fr',
    'password_reset/..%2Fen',
    'constructor/en',
    'password_reset/EN',
  ]) {
    assert.equal((await get(`${base}/${path}`)).status, 404, path)
    assert.equal((await put(`${base}/${path}`, { version: 0, ...template('x') })).status, 404, path)
  }
  for (const version of ['9999', 'abc', '0', '-1', '1.5', '99999999999'])
    assert.match(String((await get(`${reset}/versions/${version}`)).status), /^404$/, version)
})

test('the message whose text depends on its values cannot be replaced', async () => {
  const reply = await put(`${base}/admin_changed_account/en`, { version: 0, subject: 'x', text: '{{changed}}' })
  assert.deepEqual(problems(reply), ['name'])
})

test('a reset returns to the built-in message, and the earlier version remains readable', async () => {
  await save(template('Kept'))
  const version = await versionOf()
  const reply = await remove(`${reset}?version=${version}`)
  assert.deepEqual([reply.json.data.state, reply.json.data.version], ['built_in', version + 1])
  const { versions } = (await get(`${reset}/versions`)).json.data
  assert.deepEqual([versions[0].built_in, versions[1].built_in], [true, false])
  assert.equal((await get(`${reset}/versions/${version}`)).json.data.subject, 'Kept')
  assert.match((await get(`${reset}/versions/${version + 1}`)).json.data.subject, /\{\{app_name\}\}/)
})

test('twenty versions are kept', async () => {
  for (let count = 0; count < 23; count++) await save(template(`Number ${count}`))
  const version = await versionOf()
  const { versions } = (await get(`${reset}/versions`)).json.data
  assert.equal(versions.length, 20)
  assert.equal(versions[0].version, version)
  assert.equal(versions[0].changed_by, root.email)
  const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM message_templates
    WHERE name = 'password_reset' AND language = 'en'`.execute(app.ctx.db)
  assert.equal(rows[0]?.count, 20)
  assert.equal((await get(`${reset}/versions/${version - 20}`)).status, 404)
})

test('a change is in the audit trail with both versions, without the texts', async () => {
  await save(template('Secretary of words'))
  const change = (await auditOf(app, 'message_template_changed')).at(-1)
  assert.equal(change?.actor_id, root.id)
  const details = change?.details as {
    from: { version: number; sha256: string }
    to: { version: number; sha256: string }
  }
  assert.deepEqual({ ...details, from: 0, to: 0 }, { message: 'password_reset', language: 'en', from: 0, to: 0 })
  assert.equal(details.to.version, details.from.version + 1)
  assert.match(details.to.sha256, /^[0-9a-f]{64}$/)
  assert.notEqual(details.to.sha256, details.from.sha256)
  assert.doesNotMatch(JSON.stringify(change?.details), /Secretary/)
})

test('administrators read and preview; only superadmins change', async () => {
  const admin = await signedInAs(app, 'admin')
  for (const path of [base, reset, `${reset}/versions`]) assert.equal((await get(path, admin)).status, 200, path)
  assert.equal((await app.post(`${reset}/preview`, {}, as(admin))).status, 200)
  const version = await versionOf()
  assert.equal((await put(reset, { version, ...template('x') }, admin)).json.code, 'FORBIDDEN')
  assert.equal((await remove(`${reset}?version=${version}`, admin)).json.code, 'FORBIDDEN')
  assert.equal((await app.post(`${reset}/test`, {}, as(admin))).json.code, 'FORBIDDEN')
  assert.equal(await versionOf(), version)
  const denied = (await auditOf(app, 'authz_denied')).filter(({ actor_id }) => actor_id === admin.id)
  assert.equal(denied.length, 3)
})

test('a change requires recent authentication', async () => {
  const version = await versionOf()
  app.clock.advance(2 * hour)
  assert.equal((await put(reset, { version, ...template('x') })).json.code, 'REAUTH_REQUIRED')
  assert.equal((await remove(`${reset}?version=${version}`)).json.code, 'REAUTH_REQUIRED')
  const { email, password } = root
  root = { ...root, sessionToken: (await app.post('/auth/login', { email, password })).json.sessionId }
  assert.equal((await put(reset, { version, ...template('x') })).status, 200)
})

test('a preview renders a draft with sample values, in the theme, and stores nothing', async () => {
  const before = await rowCounts(app)
  const body = { ...template('Draft at {{app_name}}'), html: '<p>Hi {{name}} {{url}}</p>' }
  const light = (await app.post(`${reset}/preview`, { ...body, theme: 'light' }, as(root))).json.data
  const dark = (await app.post(`${reset}/preview`, { ...body, theme: 'dark' }, as(root))).json.data
  assert.match(light.text, /^Hello Ada,\n/)
  assert.match(light.html, /@media not all/)
  assert.match(dark.html, /@media all/)
  assert.ok(light.html.includes('>Hi Ada http'))
  const bad = await app.post(`${reset}/preview`, { ...body, html: '<iframe></iframe>' }, as(root))
  assert.deepEqual(problems(bad), ['html'])
  assert.deepEqual(problems(await app.post(`${reset}/preview`, { subject: 'x' }, as(root))), ['text'])
  assert.deepEqual(await rowCounts(app), before)
})

test('a preview shows the lifetimes that the settings define', async () => {
  const lifetimes = { account_created: '24 hours', login_link: '15 minutes', verify_email: '24 hours' }
  for (const [name, time] of Object.entries(lifetimes)) {
    const { json } = await app.post(`/auth/admin/messages/${name}/en/preview`, {}, as(root))
    assert.match(json.data.text, new RegExp(`\\b${time}`), name)
    assert.doesNotMatch(json.data.text, /60 minutes/)
  }
})

test('a test goes to the own verified address only, marked as a test', async () => {
  const reply = await app.post(`${reset}/test`, template('Draft'), as(root))
  assert.equal(reply.status, 200)
  const mail = await sink.waitFor(root.email, '[Test] Draft')
  assert.deepEqual(mail.envelope.to, [root.email])
  assert.match(mail.text, /sample=url/)
  const stranger = person('alan')
  await app.post(`${reset}/test`, { ...template('Other'), to: stranger.email, email: stranger.email }, as(root))
  await sink.waitFor(root.email, '[Test] Other')
  assert.equal(
    sink.mails.some(({ envelope }) => envelope.to.includes(stranger.email)),
    false,
  )
  await sql`UPDATE users SET is_verified = false WHERE id = ${root.id}`.execute(app.ctx.db)
  assert.equal((await app.post(`${reset}/test`, {}, as(root))).json.code, 'EMAIL_NOT_VERIFIED')
  await sql`UPDATE users SET is_verified = true WHERE id = ${root.id}`.execute(app.ctx.db)
  assert.equal((await auditOf(app, 'test_message_sent')).length, 2)
})

test('tests are limited per administrator', async () => {
  app.clock.advance(day)
  const other = await signedInAs(app, 'superadmin')
  await sql`UPDATE users SET is_verified = true WHERE id = ${other.id}`.execute(app.ctx.db)
  const statuses: number[] = []
  for (let count = 0; count < 12; count++)
    statuses.push((await app.post(`${base}/account_locked/en/test`, {}, as(other))).status)
  assert.deepEqual(statuses, [...Array(10).fill(200), 429, 429])
})

test('a stored template that cannot be used loses no mail: the built-in message is sent, and the list shows it', async () => {
  const broken = { subject: 'Broken', text: '{{url}} {{gone}}', html: null }
  await sql`INSERT INTO message_templates (name, language, version, subject, text, created_at)
    VALUES ('verify_email', 'en', 1, ${broken.subject}, ${broken.text}, now())`.execute(app.ctx.db)
  const ada = await registered(app)
  const mail = await sink.waitFor(ada.email)
  assert.match(mail.text, /^Hello/)
  assert.match(app.logged(), /a message template cannot be used; sent the built-in message/)
  const { data } = (await get(`${base}/verify_email/en`)).json
  assert.equal(data.state, 'broken')
  assert.match(data.problems[0].message, /\{\{gone\}\}, which is unknown/)
  await sql`UPDATE message_templates SET text = '{{url}}', html = '<script>alert(1)</script>'
    WHERE name = 'verify_email'`.execute(app.ctx.db)
  const grace = await registered(app, 'grace')
  assert.doesNotMatch((await sink.waitFor(grace.email)).html, /<script/)
})
