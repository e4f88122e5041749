import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Mail, Mailer } from '../../src/adapters/mail/port.ts'

export const ada: Mail = {
  to: 'ada@example.com',
  subject: 'Bestätige deine Adresse',
  text: 'Öffne https://example.com/verify?token=a-secret\n.\nEnde',
  html: '<p>Öffne <a href="https://example.com/verify?token=a-secret">diesen Link</a></p>',
}

/** Tests that every mailer must pass. `delivered` waits for the next email to this address. */
export function mailContract(mailer: () => Mailer, delivered: (to: string) => Promise<Mail>): void {
  test('a mail arrives as it was written', async () => {
    await mailer().send(ada, 'mail-1')
    const { to, subject, text, html } = await delivered(ada.to)
    assert.deepEqual({ to, subject, text: lines(text), html: lines(html) }, ada)
  })

  test('several mails at once all arrive', async () => {
    const people = ['grace', 'alan', 'edsger', 'barbara'].map((name) => `${name}@example.com`)
    await Promise.all(people.map((to) => mailer().send({ ...ada, to }, `mail-to-${to.length}`)))
    for (const to of people) assert.equal((await delivered(to)).to, to)
  })
}

/** SMTP converts line endings to CRLF. */
const lines = (text: string): string => text.replaceAll('\r\n', '\n').trimEnd()
