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

async function codeFor(key: string) {
  const { one, ada, browser, address, returnTo } = await begun(key)
  await browser.send(address, { identifier: ada.email, password: ada.password })
  const code = new URL(locationOf(await browser.open(address))).searchParams.get('code') ?? ''
  return { one, presented: { code, verifier, returnTo } }
}

const isRejected = async (presented: Awaited<ReturnType<typeof codeFor>>['presented']) => {
  const { status, json } = await redeemed(app, presented)
  assert.deepEqual([status, json.code], [400, 'INVALID_CODE'])
  return (await auditOf(app, 'handover_rejected')).at(-1)?.details.reason
}

test('a code that was issued before its application was disabled is rejected, also when it is enabled again', async () => {
  for (const [key, disable, enable] of [
    ['code', 'POST /disable', 'POST /enable'],
    ['restored', 'DELETE ', 'POST /restore'],
  ] as const) {
    const { one, presented } = await codeFor(key)
    const act = (action: string) => superadmin.call(action.split(' ')[0]!, one + action.split(' ')[1])
    assert.equal((await act(disable)).status, 200)
    assert.equal(await isRejected(presented), 'return_to')
    assert.equal((await act(enable)).status, 200)
    assert.equal(await isRejected(presented), 'return_to')
  }
})

test('a code that is used twice ends its session, whatever its application', async () => {
  const { one, presented } = await codeFor('twice')
  assert.equal((await redeemed(app, presented)).status, 200)
  await superadmin.call('POST', `${one}/disable`)
  assert.equal(await isRejected(presented), 'used')
})

test('a code is not redeemed for another application, which has got its address since', async () => {
  const { one, presented } = await codeFor('moved')
  await superadmin.call('PUT', one, { return_addresses: [] })
  await superadmin.create('heir', { return_addresses: ['https://moved.test'] })
  assert.equal(await isRejected(presented), 'return_to')
})
