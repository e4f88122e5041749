import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sms, SmsSender } from '../../src/adapters/sms/port.ts'

/** Tests that every text message sender must pass. `delivered` returns the last message to this number. */
export function smsContract(sender: () => SmsSender, delivered: (to: string) => Promise<Sms>): void {
  test('a message arrives as it was written', async () => {
    const sms = { to: '+4915112345678', text: 'Dein Code: 123456\n@example.com #123456 ✓' }
    assert.equal(sender().isConfigured, true)
    await sender().send(sms, 'sms-1')
    const { to, text } = await delivered(sms.to)
    assert.deepEqual({ to, text }, sms)
  })
}
