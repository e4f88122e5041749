import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { codeChallenge, flowIn, locationOf, signInAt, verifier } from '../screens/flow-support.ts'
import { flowVisitor } from '../screens/support.ts'
import { redeemed } from '../support/handover.ts'
import { registered } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { type Superadmin, superadminOf } from './support.ts'

let app: TestApp
let superadmin: Superadmin
before(async () => {
  app = await startTestApp()
  superadmin = await superadminOf(app)
})
after(() => app.stop())

async function begun(key: string) {
  const returnTo = `https://${key}.test/callback`
  const { id } = await superadmin.create(key, { return_addresses: [`https://${key}.test`] })
  const ada = await registered(app)
  const browser = flowVisitor(app)
  const address = locationOf(
    await browser.open(signInAt({ return_to: returnTo, code_challenge: codeChallenge, state: 'x' })),
  )
  await browser.open(address)
  return { one: `/${id}`, ada, browser, address, returnTo }
}

test('a flow that is open when its application is disabled ends without a code', async () => {
  const { one, ada, browser, address, returnTo } = await begun('flow')
  await superadmin.call('POST', `${one}/disable`)
  const signedIn = await browser.send(address, { identifier: ada.email, password: ada.password })
  assert.doesNotMatch(String(signedIn.headers.location), /^https:/)
  const end = await browser.open(address)
  assert.doesNotMatch(String(end.headers.location), /^https:/)
  const cancelled = await browser.send(`/login/cancel?flow=${flowIn(address)}`)
  assert.doesNotMatch(String(cancelled.headers.location), /^https:/)
  assert.equal((await auditOf(app, 'handover_issued')).length, 0)

  await superadmin.call('POST', `${one}/enable`)
  assert.ok(locationOf(await browser.open(address)).startsWith(`${returnTo}?code=`))
})

test('a code that was issued before its application was disabled is rejected, and is not spent', async () => {
  const { one, ada, browser, address, returnTo } = await begun('code')
  await browser.send(address, { identifier: ada.email, password: ada.password })
  const code = new URL(locationOf(await browser.open(address))).searchParams.get('code') ?? ''
  await superadmin.call('DELETE', one)
  const rejected = await redeemed(app, { code, verifier, returnTo })
  assert.deepEqual([rejected.status, rejected.json.code], [400, 'INVALID_CODE'])
  const event = (await auditOf(app, 'handover_rejected')).at(-1)
  assert.equal(event?.details.reason, 'return_to')

  await superadmin.call('POST', `${one}/restore`)
  assert.equal((await redeemed(app, { code, verifier, returnTo })).status, 200)
  await superadmin.call('POST', `${one}/disable`)
  assert.equal((await redeemed(app, { code, verifier, returnTo })).status, 400)
  const reused = (await auditOf(app, 'handover_rejected')).at(-1)
  assert.equal(reused?.details.reason, 'used', 'a code that was used twice ends its session, whatever its application')
})
