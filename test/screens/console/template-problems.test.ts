import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../../../src/lib/errors.ts'
import { checkTemplate, type MessageTemplate } from '../../../src/outbox/check-template.ts'
import type { MessageName } from '../../../src/outbox/messages.ts'
import { templateProblem } from '../../../src/screens/console/messages/templates/template-problem.ts'

const subject = 'Hello'
const text = 'Open {{url}} now'
const link = '<p><a href="{{url}}">Open</a></p>'

function problemsOf(change: Partial<MessageTemplate>, name: MessageName = 'password_reset'): string[] {
  try {
    checkTemplate(name, { subject, text, html: null, ...change })
  } catch (error) {
    assert.ok(error instanceof AppError)
    return (error.details ?? []).map(({ message }) => message)
  }
  assert.fail(`no problem: ${JSON.stringify(change)}`)
}

const drafts: Partial<MessageTemplate>[] = [
  { subject: ' ' },
  { subject: 'a\nb' },
  { subject: 'x'.repeat(300) },
  { subject: 'a\u0007' },
  { subject: '\ud800' },
  { subject: 'a\u200bb' },
  { subject: 'a {{b' },
  { subject: '{{unknown}}' },
  { text: '' },
  { text: 'no link' },
  { text: `${text} http://example.com` },
  { text: 'x{{url}}' },
  { text: `${text} {{name}}.example.com` },
  { html: ' ' },
  { html: `${link} a < b` },
  { html: `${link}&unknown;` },
  { html: `${link}<script>` },
  { html: `${link}</p>` },
  { html: `${link}<p>` },
  { html: `${'<strong>'.repeat(30)}` },
  { html: `${link}<p class="big">x</p>` },
  { html: `${link}<p id="x">x</p>` },
  { html: `${link}<a>x</a>` },
  { html: `${link}<p class="code" class="code">x</p>` },
  { html: `${link}<a href="{{url}}/x">x</a>` },
  { html: `${link}<a href="http://example.com">x</a>` },
  { html: `${link}<a href="javascript:x">x</a>` },
  { html: `${link}<a href="https://example.com"></a>` },
  { html: `${link}<a href="https://example.com">a<a href="https://example.com">b</a></a>` },
  { html: `${link}<a href="https://example.com">evil.example</a>` },
]

test('each problem of a template has a Spanish sentence', () => {
  const problems = [
    ...drafts.flatMap((draft) => problemsOf(draft)),
    ...problemsOf({ subject, text: 'x', html: '<p>x</p>' }, 'login_code'),
    ...problemsOf({ text: '{{code}}' }, 'login_code'),
  ]
  const untranslated = problems.filter((message) => {
    const { text, lang } = templateProblem('es', message)
    return lang !== 'es' || /\b(must|not|contains|which|closed)\b|\$\d/.test(text)
  })
  assert.deepEqual(untranslated, [])
  assert.ok(new Set(problems.map((message) => templateProblem('es', message).text.replace(/\W.*/s, ''))).size >= 4)
})

test('an unknown problem is shown in English and marked as such', () => {
  assert.deepEqual(templateProblem('es', 'is odd'), { text: 'Is odd', lang: 'en' })
  assert.deepEqual(templateProblem('en', 'must not be empty'), { text: 'Must not be empty', lang: 'en' })
})
