import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failureSentence } from '../../../src/adapters/fetch/failure-sentence.ts'
import { sentenceOf } from '../../../src/lib/errors.ts'
import { translateDetail } from '../../../src/screens/console/applications/sign-in-test/translate-detail.ts'

const host = 'shop.example.com:8443'
const codes = ['HPE_INVALID', 'CERT_HAS_EXPIRED', 'EPROTO', 'ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EHOSTUNREACH']

test('the details of a failed test are Spanish on Spanish pages', () => {
  const sentences = [
    ...codes.map((code) => failureSentence(Object.assign(new Error(), { code }), host)),
    `${host} did not respond in time`,
    `${host} must be requested with https`,
    `${host} is not a public address`,
    `${host} has no public address`,
    sentenceOf('INVALID_SESSION'),
  ]
  for (const sentence of sentences) {
    assert.notEqual(translateDetail('es', sentence), sentence)
    assert.equal(translateDetail('en', sentence), sentence)
  }
  assert.equal(
    translateDetail('es', failureSentence(Object.assign(new Error(), { code: 'ECONNREFUSED' }), host)),
    'shop.example.com:8443 rechazó la conexión: ningún programa escucha en este puerto',
  )
})

test('hosts, parameters and rights stay as they are', () => {
  for (const detail of ['shop.example.com', 'code_challenge', 'sessions'])
    assert.equal(translateDetail('es', detail), detail)
})
