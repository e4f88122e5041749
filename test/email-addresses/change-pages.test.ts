import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { registered, type SignedIn, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { type Reply, startTestApp, type TestApp } from '../support/test-app.ts'
import { cancelPath, confirm, emailOf, mailWith, startedChange, statusOf, verifyPath } from './change-support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

const browser = { headers: { accept: 'text/html' } }
const frontEnd = 'http://localhost:3000/login?email_change='

async function pageValue(path: string, token: string): Promise<string> {
  const { text } = await app.get(`${path}?token=${token}`, browser)
  return /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? ''
}

const post = (path: string, form: Record<string, string>, headers = {}): Promise<Reply> =>
  app.post(path, new URLSearchParams(form).toString(), {
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })

const press = async (path: string, token: string, headers = {}): Promise<Reply> =>
  post(path, { token, form_token: await pageValue(path, token) }, headers)

test('opening a link, looking at it ahead or asking for its head changes nothing', async () => {
  const ada = await registered(app)
  const { current, cancel } = await startedChange(app, ada)
  for (const [path, token] of [
    [verifyPath, current],
    [cancelPath, cancel],
  ] as const) {
    for (const headers of [browser.headers, {}, { purpose: 'prefetch', accept: 'application/json' }]) {
      const page = await app.get(`${path}?token=${token}`, { headers })
      assert.equal(page.status, 200)
      assert.match(page.text, new RegExp(`<form[^>]+method="post" action="${path}"`))
    }
    const head = await app.call('HEAD', `${path}?token=${token}&format=json`)
    assert.deepEqual([head.status, head.text], [200, ''])
  }
  const { status, confirmed } = await statusOf(app, ada.sessionToken)
  assert.deepEqual([status, confirmed], ['pending', { current: false, new: false }])
})

test('the buttons confirm one half after the other and lead to the front end, which says what happened', async () => {
  const ada = await registered(app)
  const { current, fresh, newEmail } = await startedChange(app, ada)
  const half = await press(verifyPath, current)
  assert.deepEqual([half.status, half.headers.location], [303, `${frontEnd}pending`])
  const again = await press(verifyPath, current)
  assert.equal(again.status, 400)
  assert.match(again.text, /isn’t valid/)
  const last = await press(verifyPath, fresh)
  assert.deepEqual([last.status, last.headers.location], [303, `${frontEnd}completed`])
  assert.equal(await emailOf(app, ada.sessionToken), newEmail)
  const landings = {
    pending: /One address is confirmed/,
    completed: /address changed/,
    cancelled: /Change cancelled/,
    x: /Sign in/,
  }
  for (const [word, said] of Object.entries(landings))
    assert.match((await app.get(`/login?email_change=${word}`, browser)).text, said)
})

test('the owner of the new address who did not ask for the change cancels it on the page', async () => {
  const ada = await registered(app)
  const { current, fresh, newEmail } = await startedChange(app, ada)
  const page = async (token: string) => (await app.get(`${verifyPath}?token=${token}`, browser)).text
  assert.match(await page(fresh), /name="answer" value="not_me">It wasn’t me</)
  assert.doesNotMatch(await page(current), /not_me/, 'the present inbox has a link that cancels')
  await press(verifyPath, current)
  const form = { token: fresh, form_token: await pageValue(verifyPath, fresh), answer: 'not_me' }
  const reply = await post(verifyPath, form)
  assert.deepEqual([reply.status, reply.headers.location], [303, `${frontEnd}cancelled`])
  assert.equal((await confirm(app, fresh)).json.code, 'INVALID_TOKEN')
  assert.equal((await statusOf(app, ada.sessionToken)).status, 'none')
  assert.equal(await emailOf(app, ada.sessionToken), ada.email)
  assert.ok(!app.inbox?.list({ to: newEmail }).some(({ subject }) => /cancelled/.test(subject ?? '')))
  await mailWith(app, ada.email, 'was cancelled on')
  const [event] = (await auditOf(app, 'email_change_cancelled')).filter(({ target_id }) => target_id === ada.id)
  assert.deepEqual([event?.actor_id, event?.details.answer], [null, 'not_me'])
})

test('only the link of the new address declines a change, and only with exactly this answer', async () => {
  const ada = await registered(app)
  const { current, cancel, fresh } = await startedChange(app, ada)
  const decline = (token: string, answer: unknown = 'not_me') => app.post(verifyPath, { token, answer })
  for (const token of [current, cancel]) assert.equal((await decline(token)).json.code, 'INVALID_TOKEN')
  for (const answer of [null, '', 'me', true])
    assert.equal((await decline(fresh, answer)).json.code, 'VALIDATION_ERROR', String(answer))
  assert.deepEqual((await statusOf(app, ada.sessionToken)).confirmed, { current: false, new: false })
  const { status, json } = await decline(fresh)
  assert.deepEqual([status, json.status, json.message], [200, 'cancelled', 'Email change cancelled'])
  assert.equal((await confirm(app, current)).json.code, 'INVALID_TOKEN')
})

test('the cancel button works in a browser that is signed in as somebody else', async () => {
  const [ada, grace] = [await registered(app), await registered(app, 'grace')]
  const hers = await startedChange(app, ada)
  const other = await startedChange(app, grace)
  // Forms on pages with the `no-referrer` policy have the origin `null`.
  const headers = { cookie: `session_id=${grace.sessionToken}`, origin: 'null', 'sec-fetch-site': 'same-origin' }
  const reply = await press(cancelPath, hers.cancel, headers)
  assert.deepEqual([reply.status, reply.headers.location], [303, `${frontEnd}cancelled`])
  assert.equal((await statusOf(app, ada.sessionToken)).status, 'none')
  assert.equal((await statusOf(app, grace.sessionToken)).status, 'pending')
  assert.equal((await confirm(app, other.fresh)).status, 200)
})

test('another site cannot cancel with the cookie of its visitor', async () => {
  const ada = await registered(app)
  await startedChange(app, ada)
  const headers = { cookie: `session_id=${ada.sessionToken}`, origin: 'https://evil.test' }
  assert.equal((await app.post(cancelPath, {}, { headers })).json.code, 'CSRF_REJECTED')
  assert.equal((await post(cancelPath, {}, headers)).json?.code ?? 403, 'CSRF_REJECTED')
  assert.equal((await statusOf(app, ada.sessionToken)).status, 'pending')
})

test('a form that is not from our page does nothing', async () => {
  const ada = await registered(app)
  const { current, cancel } = await startedChange(app, ada)
  const forged: [string, string, string][] = [
    [verifyPath, current, ''],
    [verifyPath, current, await pageValue(cancelPath, current)],
    [cancelPath, cancel, await pageValue(verifyPath, cancel)],
    [cancelPath, cancel, 'x.y'],
  ]
  for (const [path, token, page] of forged) assert.equal((await post(path, { token, form_token: page })).status, 400)
  const { status, confirmed } = await statusOf(app, ada.sessionToken)
  assert.deepEqual([status, confirmed], ['pending', { current: false, new: false }])
})

test('a person who comes too late sees that the address is gone', async () => {
  const ada = await registered(app)
  const { current, fresh, newEmail } = await startedChange(app, ada)
  await confirm(app, current)
  await app.post('/auth/register/public', { email: newEmail, password: 'moths around the relay' })
  const late = await press(verifyPath, fresh)
  assert.equal(late.status, 400)
  assert.match(late.text, /Another account/)
})

test('programs get the result of a link as JSON, by GET too', async () => {
  const byLink = async (ada: SignedIn) => {
    const { current, cancel } = await startedChange(app, ada)
    const half = await app.get(`${verifyPath}?token=${current}`, { headers: { accept: 'application/json' } })
    const over = await app.get(`${cancelPath}?token=${cancel}&format=json`)
    return [half.json.status, over.json.status]
  }
  const ada = await registered(app)
  assert.deepEqual(await byLink(ada), ['pending', 'cancelled'])
  assert.equal((await app.get('/auth/email-change', withSession(ada.sessionToken))).json.email_change.status, 'none')
})
