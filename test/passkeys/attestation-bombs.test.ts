import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAuthenticator } from '../support/authenticator.ts'
import { homeOf } from '../support/passkeys.ts'
import { registered, withSession } from '../support/people.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app?.stop())

const repeated = (count: number, ...bytes: number[]) => Buffer.from(Array.from({ length: count }, () => bytes).flat())

// CBOR (RFC 8949) that announces or nests more than its bytes contain. 7,500 bytes are the most that the schema allows.
const bombs: [what: string, attestation: Buffer][] = [
  ['deeply nested arrays', Buffer.concat([repeated(7_000, 0x81), Buffer.of(0)])],
  ['deeply nested maps', Buffer.concat([repeated(3_500, 0xa1, 0x00), Buffer.of(0)])],
  ['deeply nested tags', Buffer.concat([repeated(7_000, 0xc0), Buffer.of(0)])],
  ['arrays without an end', repeated(7_000, 0x9f)],
  ['a map of 2^32 members', Buffer.from('bb0000000100000000616100', 'hex')],
  ['an array of 2^32 members', Buffer.from('9b00000000ffffffff000000', 'hex')],
  ['a string of 2^31 bytes', Buffer.from('5b000000007fffffff00', 'hex')],
  ['a number', Buffer.of(0)],
  ['a map with other members', Buffer.from('a1616100', 'hex')],
]
for (const [what, attestation] of bombs)
  test(`an attestation of ${what} is rejected like any other wrong one`, async () => {
    const ada = await registered(app)
    const before = await rowCounts(app)
    const session = withSession(ada.sessionToken)
    const { json } = await app.post('/auth/passkeys/options', {}, session)
    const valid = createAuthenticator(homeOf(app)).create(json.options)
    const response = { ...valid.response, attestationObject: attestation.toString('base64url') }
    const reply = await app.post('/auth/passkeys', { response: { ...valid, response } }, session)
    assert.deepEqual([reply.status, reply.json.code], [400, 'INVALID_CODE'])
    assert.equal((await rowCounts(app)).passkeys, before.passkeys)
    assert.equal((await auditOf(app, 'passkey_rejected')).at(-1)?.target_id, ada.id)
    assert.equal((await app.post('/auth/passkeys', { response: valid }, session)).status, 200)
  })

test('an attestation that is larger than any real one is rejected by its size', async () => {
  const ada = await registered(app)
  const session = withSession(ada.sessionToken)
  const { json } = await app.post('/auth/passkeys/options', {}, session)
  const valid = createAuthenticator(homeOf(app)).create(json.options)
  const response = { ...valid, response: { ...valid.response, attestationObject: 'A'.repeat(10_001) } }
  const reply = await app.post('/auth/passkeys', { response }, session)
  assert.deepEqual([reply.status, reply.json.details[0].field], [400, 'response.response.attestationObject'])
})
