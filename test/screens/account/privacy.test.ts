import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { minute } from '../../../src/lib/time.ts'
import { signedInAs } from '../../support/people.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { textOf } from '../all-pages.ts'
import { memberOf, signedInBrowser } from './support.ts'

let app: TestApp
before(async () => {
  const env = { RATE_LIMIT_LOGIN: '100/15m', GDPR_CONSENT_VERSION: '2026-11' }
  app = await startTestApp({ modules: ['privacy'], env })
})
after(() => app.stop())

const page = '/account/privacy'

test('region, consent and rejection are decided by forms, and the history tells of them', async () => {
  const ada = await memberOf(app)
  const first = textOf((await ada.open(page)).text)
  assert.match(first, /You haven’t given your consent[\s\S]*You haven’t opted out/)
  assert.equal((await ada.send(`${page}/region`, { choice: 'eu' })).headers.location, `${page}?done=region`)
  assert.match((await ada.open(page)).text, /<option value="eu" selected>/)
  assert.equal((await ada.send(`${page}/region`, { choice: 'moon' })).status, 400)
  await ada.open(page)
  assert.equal((await ada.send(`${page}/consent`)).headers.location, `${page}?done=given`)
  assert.match(textOf((await ada.open(page)).text), /You agreed to version 2026-11 on/)
  assert.equal((await ada.send(`${page}/consent`)).headers.location, `${page}?done=withdrawn`)
  assert.match(textOf((await ada.open(page)).text), /You withdrew your consent/)
  assert.equal((await ada.send(`${page}/sale`)).headers.location, `${page}?done=out`)
  assert.match(textOf((await ada.open(`${page}?done=out`)).text), /neither sold nor shared[\s\S]*You opted out on/)
  assert.equal((await ada.send(`${page}/sale`)).headers.location, `${page}?done=in`)

  const history = textOf((await ada.open(`${page}/history`)).text)
  assert.match(
    history,
    /Opt-out of sale and sharing withdrawn[\s\S]*Opted out[\s\S]*Consent withdrawn[\s\S]*Version 2026-11[\s\S]*European Union/,
  )
  assert.equal((await ada.open(`${page}/history?page=nonsense`)).status, 200)
})

test('whoever agrees names the version that they have seen, not one that has come since', async () => {
  const ada = await memberOf(app)
  await ada.open(page)
  await sql`UPDATE users SET gdpr_consent = true, gdpr_consent_version = 'old', gdpr_consent_at = now()
    WHERE id = ${ada.id}`.execute(app.ctx.db)
  await app.post('/auth/invalidate/me', undefined, { headers: { cookie: ada.cookie() } })
  assert.match(textOf((await ada.open(page)).text), /version old[\s\S]*newer version is available: 2026-11/)
  await ada.send(`${page}/consent`, { choice: 'seen' })
  const { json } = await app.get('/auth/user/me/privacy', { headers: { cookie: ada.cookie() } })
  assert.equal(json.data.gdpr_consent_version, 'seen')
})

test('the data come as a file, or by a link in a mail', async () => {
  const ada = await memberOf(app)
  await ada.open(page)
  const file = await ada.send(`${page}/download`)
  assert.equal(file.headers['content-disposition'], 'attachment; filename="personal-data.json"')
  assert.equal(file.headers['content-type'], 'application/json; charset=utf-8')
  assert.equal(JSON.parse(file.text).user.email, ada.email)
  assert.ok(Array.isArray(JSON.parse(file.text).privacy_history))
  await ada.open(page)
  assert.equal((await ada.send(`${page}/mail`)).headers.location, `${page}?done=mailed`)

  app.clock.advance(11 * minute)
  await ada.open(page)
  const asked = await ada.send(`${page}/download`)
  assert.equal(asked.headers.location, `/account/confirm?next=${encodeURIComponent(page)}`)
})

test('a deletion is asked for, shown and cancelled', async () => {
  const ada = await memberOf(app)
  assert.match(textOf((await ada.open(`${page}/delete`)).text), /Delete in 14 days/)
  const asked = await ada.send(`${page}/delete/later`, { reason: 'moving on' })
  assert.equal(asked.headers.location, `${page}?done=asked`)
  for (const path of [page, '/account', `${page}/delete`])
    assert.match(textOf((await ada.open(path)).text), /Your account will be deleted on/, path)
  assert.doesNotMatch(textOf((await ada.open(`${page}/delete`)).text), /Delete in 14 days/)
  await ada.open(page)
  assert.equal((await ada.send(`${page}/delete/cancel`)).headers.location, `${page}?done=kept`)
  for (const path of [page, '/account'])
    assert.doesNotMatch(textOf((await ada.open(path)).text), /will be deleted on/, path)
})

test('an account is deleted at once for whoever types its address, signed in a short while ago', async () => {
  const ada = await memberOf(app)
  await ada.open(`${page}/delete`)
  const wrong = await ada.send(`${page}/delete`, { email: 'somebody@example.com' })
  assert.deepEqual([wrong.status, /isn’t the email address/.test(textOf(wrong.text))], [400, true])
  app.clock.advance(11 * minute)
  const back = encodeURIComponent(`${page}/delete`)
  const asked = await ada.send(`${page}/delete`, { email: ada.email })
  assert.equal(asked.headers.location, `/account/confirm?next=${back}`)
  await ada.open(`/account/confirm?next=${back}`)
  const proven = await ada.send('/account/confirm', { proof: ada.password })
  await ada.open(String(proven.headers.location))
  const gone = await ada.send(`${page}/delete`, { email: ` ${ada.email.toUpperCase()} ` })
  assert.equal(gone.status, 200)
  assert.match(textOf(gone.text), /Your account was deleted/)
  assert.equal((await ada.open(page)).headers.location, '/login')
  assert.equal((await app.post('/auth/login', { email: ada.email, password: ada.password })).status, 401)
})

test('the only superadministrator stays', async () => {
  const root = await signedInAs(app, 'superadmin')
  const browser = await signedInBrowser(app, root)
  await browser.open(`${page}/delete`)
  const refused = await browser.send(`${page}/delete`, { email: root.email })
  assert.equal(refused.status, 403)
  assert.match(textOf(refused.text), /You’re the only superadmin who can sign in\./)
})

test('a form of another site decides nothing', async () => {
  const ada = await memberOf(app)
  const foreign = { 'sec-fetch-site': 'cross-site' }
  for (const [path, where, fields] of [
    ['region', page, { choice: 'eu' }],
    ['consent', page, {}],
    ['sale', page, {}],
    ['download', page, {}],
    ['mail', page, {}],
    ['delete', `${page}/delete`, { email: ada.email }],
    ['delete/later', `${page}/delete`, {}],
  ] as const) {
    await ada.open(where)
    const refused = await ada.send(`${page}/${path}`, fields, foreign)
    assert.equal(refused.status, 403, path)
  }
  const { json } = await app.get('/auth/user/me/privacy', { headers: { cookie: ada.cookie() } })
  assert.deepEqual([json.data.privacy_region, json.data.gdpr_consent, json.data.ccpa_opt_out], ['global', false, false])
})

test('without the module there are a copy of the data and the deletion, and nothing else', async () => {
  const plain = await startTestApp()
  try {
    const ada = await memberOf(plain)
    const text = textOf((await ada.open(page)).text)
    assert.match(text, /A copy of your data[\s\S]*Delete your account/)
    assert.doesNotMatch(text, /Region|GDPR|CCPA|History|by email/)
    assert.equal((await ada.open(`${page}/history`)).status, 404)
    await ada.open(page)
    assert.equal(JSON.parse((await ada.send(`${page}/download`)).text).user.email, ada.email)
    const ways = textOf((await ada.open(`${page}/delete`)).text)
    assert.doesNotMatch(ways, /later/)
    const gone = await ada.send(`${page}/delete`, { email: ada.email })
    assert.match(textOf(gone.text), /Your account was deleted/)
  } finally {
    await plain.stop()
  }
})
