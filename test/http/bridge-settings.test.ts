import assert from 'node:assert/strict'
import { test } from 'node:test'
import { person, registered } from '../support/people.ts'
import { bridgeSecret as secret, startTestApp } from '../support/test-app.ts'
import { assertError } from './support.ts'

test('without any secret the routes of back ends are not configured, and never open', async () => {
  const bare = await startTestApp({ env: { BRIDGE_SECRET: '' } })
  try {
    const { sessionToken } = await registered(bare)
    for (const [method, url] of [
      ['POST', '/auth/bridge/validate'],
      ['GET', '/auth/user/me'],
    ] as const) {
      for (const value of [undefined, '', 'undefined', 'null', secret]) {
        const headers = { 'x-session-id': sessionToken, ...(value !== undefined && { 'x-bridge-secret': value }) }
        assertError(await bare.call(method, url, { headers }), 503, 'NOT_CONFIGURED', `${url} with ${value}`)
      }
    }
  } finally {
    await bare.stop()
  }
})

test('behind REGISTRATION_REQUIRES_BRIDGE only back ends register people', async () => {
  const closed = await startTestApp({ env: { REGISTRATION_REQUIRES_BRIDGE: 'true' } })
  try {
    for (const url of ['/auth/register', '/auth/register/public']) {
      assertError(await closed.post(url, person()), 401, 'BRIDGE_SECRET_REQUIRED')
      assertError(await closed.post(url, { ...person(), bridge_secret: secret }), 401, 'BRIDGE_SECRET_REQUIRED')
      assertError(
        await closed.post(url, person(), { headers: { 'x-bridge-secret': 'wrong' } }),
        401,
        'BRIDGE_SECRET_REQUIRED',
      )
      assert.equal((await closed.post(url, person(), { headers: { 'x-bridge-secret': secret } })).status, 200)
    }
  } finally {
    await closed.stop()
  }
})
