import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consolePart } from '../../src/modules/two-factor/pages/console-part.ts'

const removed = (details: Record<string, unknown>, lang = 'en') =>
  consolePart.detailed?.(lang, { event: 'mfa_removed', details })

test('the sentence for a removed factor names it, and is general if the details are absent', () => {
  assert.equal(removed({ method: 'totp', id: '1' }), '{actor} removed a second factor: Authenticator app.')
  assert.equal(removed({ method: 'sms', id: '1' }, 'es'), '{actor} quitó un segundo factor: Código por SMS.')
  assert.equal(removed({ reason: 'toggle' }), '{actor} turned off two-factor sign-in.')
  const reset = { reason: 'reset_by_admin', methods: ['passkey', 'email'] }
  assert.equal(removed(reset), '{actor} removed the second factors of {target}: Passkey, Code by email.')
  assert.equal(removed({ method: 'unknown' }), undefined)
  assert.equal(removed({}), undefined)
})
