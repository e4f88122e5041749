import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMail } from './read-mail.ts'

const mail = (...lines: string[]) => Buffer.from(lines.join('\r\n'))

test('a plain mail is read as it stands', () => {
  const read = mail('From: a@example.test', 'To: b@example.test', 'Subject: Hi', '', 'Grüße', 'two')
  assert.deepEqual(Object.entries(readMail(read)).slice(1), [
    ['from', 'a@example.test'],
    ['to', 'b@example.test'],
    ['subject', 'Hi'],
    ['text', 'Grüße\r\ntwo'],
    ['html', ''],
  ])
})

test('folded headers and encoded words of both kinds become one text', () => {
  const { subject, headers } = readMail(
    mail('Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe_an?=', ' =?UTF-8?B?IEFkYQ==?= now', 'X-Long: one', '\ttwo', '', ''),
  )
  assert.equal(subject, 'Grüße an Ada now')
  assert.equal(headers.get('x-long'), 'one\ttwo')
})

test('text and HTML are found in nested parts, whatever their encoding and charset', () => {
  const { text, html } = readMail(
    mail(
      'Content-Type: multipart/mixed;',
      ' boundary="outer(1)"',
      '',
      'for readers without MIME',
      '--outer(1)',
      'Content-Type: multipart/alternative; boundary=inner',
      '',
      '--inner',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Open https://wardenry.example.test/confirm?token=3Dabc=',
      'def=C3=BC =',
      'now',
      '--inner',
      'Content-Type: text/html; charset="iso-8859-1"',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('<b>ü</b>', 'latin1').toString('base64'),
      '--inner--',
      '--outer(1)',
      'Content-Type: text/plain',
      '',
      'an attachment',
      '--outer(1)--',
      'after the end',
    ),
  )
  assert.equal(text, 'Open https://wardenry.example.test/confirm?token=abcdefü now')
  assert.equal(html, '<b>ü</b>')
})
