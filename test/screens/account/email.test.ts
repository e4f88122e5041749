import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minute } from '../../../src/lib/time.ts'
import { emailOf } from '../../email-addresses/change-support.ts'
import { person } from '../../support/people.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { textOf } from '../all-pages.ts'
import { memberOf } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_TOKEN_LOGIN: '1000/1m' } })
})
after(() => app.stop())

const path = '/account/email'

test('a change of address waits for both inboxes, says which, and can be taken back', async () => {
  const ada = await memberOf(app)
  await ada.open(path)
  const newEmail = person().email
  const asked = await ada.send(path, { new_email: newEmail })
  assert.deepEqual([asked.status, asked.headers.location], [303, `${path}?done=email_change_started`])
  const waiting = textOf((await ada.open(`${path}?done=email_change_started`)).text)
  assert.match(waiting, /Open the link in each of the two emails/)
  assert.match(waiting, new RegExp(`${ada.email}\n *Waiting[\\s\\S]*${newEmail}\n *Waiting[\\s\\S]*work until .* UTC`))

  const { text } = await app.mailTo(newEmail)
  const token = /token=([\w-]{43})/.exec(text)?.[1]
  await app.post('/auth/email-change/verify', { token })
  assert.match(textOf((await ada.open(path)).text), new RegExp(`${newEmail}\n *Confirmed`))

  const again = await ada.send(path)
  assert.equal(again.headers.location, `${path}?done=email_change_started`)
  assert.doesNotMatch(textOf((await ada.open(path)).text), new RegExp(`${newEmail}\n *Confirmed`))

  const cancelled = await ada.send(`${path}/cancel`)
  assert.equal(cancelled.headers.location, `${path}?done=email_change_cancelled`)
  const after = textOf((await ada.open(`${path}?done=email_change_cancelled`)).text)
  assert.match(after, /wasn’t changed/)
  assert.doesNotMatch(after, /under way/)
  assert.equal(await emailOf(app, ada.sessionToken), ada.email)
})

test('what is no other address is said at the field, which keeps it', async () => {
  const ada = await memberOf(app)
  for (const wrong of ['nobody', ada.email, '']) {
    await ada.open(path)
    const refused = await ada.send(path, { new_email: wrong })
    assert.equal(refused.status, 400)
    assert.match(textOf(refused.text), /such as ada@example\.com/, wrong)
    const input = /<input[^>]* name="new_email"[^>]*>/.exec(refused.text)?.[0] ?? ''
    assert.equal(/ value="([^"]*)"/.exec(input)?.[1] ?? '', wrong)
  }
  await ada.open(path)
  assert.match(
    textOf((await ada.send(path, { new_email: 'a@b.example', form_token: 'x.y' })).text),
    /open for too long/,
  )
})

test('the link that proves the address is sent again, until it is proven', async () => {
  const ada = await memberOf(app)
  assert.match(textOf((await ada.open(path)).text), /Not confirmed/)
  assert.equal((await ada.send(`${path}/verify`)).headers.location, `${path}?done=verification_sent`)
  const token = /token=([\w-]{43})/.exec((await app.mailTo(ada.email, 1)).text)?.[1]
  await app.post('/auth/token/verify', { token })
  const { text } = await ada.open(path)
  assert.doesNotMatch(text, /email\/verify/)
  assert.match(textOf(text), /Confirmed/)
})

test('where a change requires recent authentication, the page asks for it first', async () => {
  const strict = await startTestApp({ env: { EMAIL_CHANGE_REAUTH: 'true' } })
  try {
    const ada = await memberOf(strict)
    strict.clock.advance(11 * minute)
    await ada.open(path)
    const asked = await ada.send(path, { new_email: person().email })
    assert.equal(asked.headers.location, '/account/confirm?next=%2Faccount%2Femail')
  } finally {
    await strict.stop()
  }
})
