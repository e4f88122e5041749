import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import '../../src/modules/index.ts'
import { AppError } from '../../src/lib/errors.ts'
import { builtInSource, htmlSource, sampleValues } from '../../src/outbox/built-in-source.ts'
import { checkTemplate, type MessageTemplate } from '../../src/outbox/check-template.ts'
import { defaultBranding } from '../../src/outbox/mail-branding.ts'
import {
  isCustomizable,
  isTextMessage,
  type MessageName,
  messageLanguages,
  messageNames,
  messageVariables,
} from '../../src/outbox/messages.ts'
import { renderMessage } from '../../src/outbox/render-message.ts'
import { tagsOf, textOf } from '../screens/all-pages.ts'
import { anyCharacter } from '../support/any-character.ts'

const settings = {
  APP_NAME: 'Example Shop',
  PUBLIC_URL: 'https://id.example.com',
  CODE_TTL: 600_000,
  EMAIL_CHANGE_TTL: 3_600_000,
  INVITE_TTL: 3_600_000,
  LOGIN_LINK_TTL: 900_000,
  RESET_TTL: 1_800_000,
  VERIFY_EMAIL_TTL: 3_600_000,
}
const fine: MessageTemplate = {
  subject: 'Hello from {{app_name}}',
  text: 'Hello {{name}},\n\nHere:\n{{url}}',
  html: null,
}
const html = (body: string): MessageTemplate => ({ ...fine, html: `${body}<p><a href="{{url}}">Go</a></p>` })

const render = (
  template: MessageTemplate,
  changes: Record<string, string> = {},
  name: MessageName = 'verify_email',
  lang = 'en',
) =>
  renderMessage(
    name,
    lang,
    { ...sampleValues(name, settings), ...changes },
    { branding: defaultBranding, template: checkTemplate(name, template) },
  )

function problemsOf(template: MessageTemplate, name: MessageName = 'verify_email'): string[] {
  try {
    checkTemplate(name, template)
    return []
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === 'VALIDATION_ERROR')
    return (error.details ?? []).map(({ field, message }) => `${field} ${message}`)
  }
}

const refused = (template: Partial<MessageTemplate>, pattern: RegExp, name?: MessageName) => {
  const problems = problemsOf({ ...fine, ...template }, name)
  assert.equal(problems.length, 1, `${JSON.stringify(template)}: ${problems}`)
  assert.match(problems[0] ?? '', pattern)
}

test('known variables are inserted once, escaped in HTML', () => {
  const name = '<b>{{url}} {{code}}</b> & "Ada"'
  const { subject, text, html: body } = render(html('<p>Hello <strong>{{ name }}</strong>,</p>'), { name })
  assert.equal(subject, 'Hello from Example Shop')
  assert.match(text, /^Hello <b>\{\{url\}\} \{\{code\}\}<\/b> & "Ada",\n/)
  assert.ok(body.includes('<strong>&lt;b&gt;{{url}} {{code}}&lt;/b&gt; &amp; &quot;Ada&quot;</strong>'))
})

test('an empty value takes the space before it along', () => {
  assert.match(render(fine, { name: '' }).text, /^Hello,\n/)
})

test('whatever a name is, the lines and elements of the message stay the same', () => {
  const template = html('<p>Hello {{name}},</p><p class="muted">{{time}}</p>')
  const plain = render(template)
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, minLength: 1, maxLength: 200 }), (name) => {
      const message = render(template, { name })
      assert.equal(message.subject, plain.subject)
      assert.equal(message.text.split('\n').length, plain.text.split('\n').length)
      assert.deepEqual(
        tagsOf(message.html).map(({ name: tag }) => tag),
        tagsOf(plain.html).map(({ name: tag }) => tag),
      )
    }),
  )
})

describe('anything but known placeholders is refused', () => {
  for (const source of [
    '{{constructor}}',
    '{{__proto__}}',
    '{{name.constructor}}',
    '{{#each name}}',
    '{{/each}}',
    '{{{name}}}',
    '{{name',
    'name}}',
    '{{ process.env }}',
    '{{password}}',
    '{{7*7}}',
    '{{ }}',
    '{{Name}}',
    '{{to_string}}',
  ])
    test(source, () => {
      refused({ text: `${fine.text}\n\n${source}` }, /^text contains /)
      refused(html(`<p>${source}</p>`), /^html contains /)
      refused({ subject: source }, /^subject contains /)
    })

  test('code of the built-in templates is plain text', () => {
    const template = { ...fine, text: `${fine.text}\n\n<%= it.name %> <% while (true) {} %> \${name}` }
    assert.ok(render(template).text.endsWith(`<%= it.name %> <% while (true) {} %> \${name}\n`))
  })
})

test('a subject has one line, no text of users and no secret', () => {
  refused({ subject: 'Hello\r\nBcc: x@evil.example' }, /^subject must not contain line breaks/)
  refused({ subject: 'Hello\u2028there' }, /^subject must not contain line breaks/)
  refused({ subject: 'Hello \u0007' }, /^subject must not contain control/)
  refused({ subject: 'Hello \u202etxt' }, /^subject must not contain invisible/)
  refused({ subject: ' ' }, /^subject must not be empty/)
  refused({ subject: 'x'.repeat(201) }, /^subject must have at most 200/)
  for (const name of ['name', 'code', 'url'])
    refused({ subject: `{{${name}}}` }, /^subject contains \{\{\w+\}\}, which is unknown/)
})

test('texts have a maximum length', () => {
  refused({ text: `${fine.text}${'x'.repeat(5_000)}` }, /^text must have at most 5000/)
  refused(html(`<p>${'x'.repeat(10_000)}</p>`), /^html must have at most 10000/)
  refused(html('<div>'.repeat(12) + '</div>'.repeat(12)), /^html must not be nested/)
})

test('a message without its link or code is refused, in the text as in the HTML', () => {
  refused({ text: 'Hello {{name}}' }, /^text must contain \{\{url\}\} or \{\{code\}\}/)
  refused({ html: '<p>Hello {{name}}</p>' }, /^html must contain \{\{url\}\} or \{\{code\}\}/)
  assert.deepEqual(problemsOf({ ...fine, text: 'Your code: {{code}}', html: '<p class="code">{{code}}</p>' }), [])
  refused({ text: '{{confirm_url}}' }, /^text must contain \{\{cancel_url\}\}/, 'email_change_current')
})

test('every problem names its field', () => {
  const problems = problemsOf({ subject: '', text: '', html: '' })
  assert.deepEqual(
    problems.map((problem) => problem.split(' ')[0]),
    ['subject', 'text', 'html'],
  )
})

describe('HTML outside the list is refused', () => {
  for (const source of [
    '<script>alert(1)</script>',
    '<SCRIPT src="https://evil.example/x.js"></SCRIPT>',
    '<style>p { color: red }</style>',
    '<p style="background: url(https://evil.example)">x</p>',
    '<p onclick="alert(1)">x</p>',
    '<a href="https://example.com" onmouseover="alert(1)">x</a>',
    '<a href="https://example.com" target="_blank">x</a>',
    '<img src="https://evil.example/pixel.png">',
    '<svg><script>alert(1)</script></svg>',
    '<math><mi>x</mi></math>',
    '<iframe src="https://evil.example"></iframe>',
    '<form action="https://evil.example"><input name="password"></form>',
    '<base href="https://evil.example/">',
    '<meta http-equiv="refresh" content="0;url=https://evil.example">',
    '<link rel="stylesheet" href="https://evil.example/x.css">',
    '<object data="x"></object>',
    '<!-- comment -->',
    '<!doctype html>',
    '<![CDATA[x]]>',
    '<?xml version="1.0"?>',
    '<p title="x">x</p>',
    "<p class='muted'>x</p>",
    '<p class=muted>x</p>',
    '<p class="muted" class="code">x</p>',
    '<p class="page">x</p>',
    '<p class="constructor">x</p>',
    '<a class="button" href="javascript:alert(1)">x</a>',
    '<a href="&#106;avascript:alert(1)">x</a>',
    '<a href="data:text/html,x">x</a>',
    '<a href="http://example.com/">x</a>',
    '<a href="//evil.example/">x</a>',
    '<a href="/account">x</a>',
    '<a href="https://user:pass@example.com/">x</a>',
    '<a href="">x</a>',
    '<a>x</a>',
    '<a href="https://evil.example/?code={{code}}">x</a>',
    '<a href="https://evil.example/?next={{url}}">x</a>',
    '<a href="{{url}}&amp;next=https://evil.example">x</a>',
    '<a href="{{name}}">x</a>',
    '<a href="{{code}}">x</a>',
    '<p class="{{name}}">x</p>',
    '</p></div><p>x</p>',
    '<p>x',
    '<p>x</div>',
    '<p>1 < 2</p>',
    '<p>&eacute;</p>',
    '<p>&constructor;</p>',
    '<p>&#0;</p>',
    '<p>&#xd800;</p>',
    '<p>https://evil.example/{{code}}</p>',
    '<p><b>https://evil.example/</b>{{code}}</p>',
    '<p>{{code}}.evil.example</p>',
    '<p>http://example.com</p>',
    '<p>{{url}}x</p>',
    '<p>https://evil.example/?c= {{name}}{{code}}</p>',
    '<p>https://evil.example/?u=&#xfeff;{{url}}</p>',
    '<p>https://evil.example/?c=&nbsp;{{code}}</p>',
    '<p>https://evil.example/?c=&#x3000;{{code}}</p>',
  ])
    test(source, () => refused(html(source), /^html /))
})

test('a link in the text is an address of its own', () => {
  for (const text of [
    '{{url}}x',
    'https://evil.example/{{url}}',
    'https://evil.example/?{{code}} {{url}}',
    'http://x.example {{url}}',
  ])
    refused({ text }, /^text must /)
})

test('no empty value, special space or full stop of another script joins a placeholder to a URL', () => {
  for (const text of [
    'https://evil.example/?c= {{name}}{{code}}',
    'https://evil.example/?c=  {{name}}{{ name }}{{code}}',
    '{{code}} {{name}}.evil.example',
    'https://evil.example/?u= {{name}}{{url}}',
    'https://evil.example/?u=\ufeff{{url}}',
    'https://evil.example/?u=\u00a0{{url}}',
    'https://evil.example/?c=\u3000{{code}}',
    'https://evil.example/?c=\u200b{{code}}',
    ...['\u3002', '\uff0e', '\uff61'].map((stop) => `{{code}}@evil${stop}example`),
  ])
    refused({ text: `{{code}}\n\n${text}` }, /^text must /)
  refused({ text: '{{url}}\n\nhttps://evil.example/?ip= {{user_agent}}{{ip}} {{code}}' }, /^text must /, 'login_link')
  const apart = 'Hello {{name}}, see https://example.com/help {{name}}\n{{url}} {{name}}\n\nCode:\u00a0{{code}}'
  assert.deepEqual(problemsOf({ ...fine, text: apart }), [])
})

describe('a link whose text is an address leads to that address', () => {
  for (const source of [
    '<a href="https://evil.example/">https://example.com/account</a>',
    '<a href="https://evil.example/">example.com</a>',
    '<a href="https://evil.example/">exam<b>ple.</b>com</a>',
    '<a href="https://evil.example/">Ex\u00e4mple\uff0ecom</a>',
    '<a href="https://evil.example/">example\u3002com</a>',
    '<a href="https://evil.example/">example.c\u0332om</a>',
    '<a href="https://evil.example/">a.b\u0332.c\u0332o</a>',
    '<a href="https://example.com.evil.example/">www.example.com/login</a>',
    '<a href="https://example.com:8443/">https://example.com/</a>',
    '<a href="https://evil.example/">help@example.com</a>',
    '<a href="https://evil.example/">evil.example, example.com</a>',
    '<a href="{{url}}">https://example.com/</a>',
  ])
    test(source, () => refused(html(source), /^html must not show \S+ as the text of a link to another address$/))

  test('{{url}} as the text of another link', () => {
    refused(
      html('<a href="https://evil.example/">{{url}}</a>'),
      /^html must not show \{\{url\}\} as the text of a link/,
    )
    const both = '<p>{{confirm_url}}</p><p><a href="{{confirm_url}}">{{cancel_url}}</a></p>'
    const text = '{{confirm_url}}\n\n{{cancel_url}}'
    refused({ text, html: both }, /^html must not show \{\{cancel_url\}\} as the text/, 'email_change_current')
    assert.deepEqual(problemsOf({ ...fine, html: '<a href="{{url}}">{{url}}</a>' }), [])
  })

  test('words, and addresses of the same origin, are accepted', () => {
    for (const source of [
      '<a href="https://example.com/help?a=1">https://example.com/help</a>',
      '<a href="https://EXAMPLE.com/help">example.com/help</a>',
      '<a href="https://example.com/">{{app_name}} 2.0, e.g. here...</a>',
    ])
      assert.deepEqual(problemsOf(html(source)), [], source)
  })
})

test('a required placeholder is visible, and is the link or stands outside other links', () => {
  refused({ html: '<p><a href="{{url}}"></a></p>' }, /^html must not have a link without text/)
  refused({ html: '<p><a href="{{url}}"> <b>&nbsp;</b></a></p>' }, /^html must not have a link without text/)
  refused({ html: '<p><a href="https://evil.example/">{{code}}</a></p>' }, /^html must contain/)
  refused({ html: '<a href="https://evil.example/"><a href="{{url}}">Go</a></a>' }, /^html must not have a link inside/)
})

test('the allowed HTML is rebuilt from the parsed elements, with the styles of the layout', () => {
  const source =
    '<h1>Welcome</h1><P CLASS="muted">1 &lt; 2 &amp; &quot;3&quot;&nbsp;&#233;</P><ul><li>one</li></ul><hr><br>' +
    '<p><a class="button" href="{{url}}">Confirm</a> <a href="https://example.com/help?a=1&amp;b=2">Help</a></p>'
  const { html: body } = render({ ...fine, html: source })
  assert.match(body, /<p class="address" style="[^"]+">1 &lt; 2 &amp; &quot;3&quot;\u00a0é<\/p>/)
  assert.match(body, /<a href="https:\/\/id\.example\.com\/[^"]+" class="button" style="[^"]+">Confirm<\/a>/)
  assert.ok(body.includes('<a href="https://example.com/help?a=1&amp;b=2">Help</a>'))
  const names = tagsOf(body).map(({ name }) => name)
  assert.deepEqual(names.slice(names.indexOf('h1')), ['h1', 'p', 'ul', 'li', 'hr', 'br', 'p', 'a', 'a'])
})

for (const name of messageNames.filter(isCustomizable)) {
  test(`the built-in ${name} is a valid template that renders the same message`, () => {
    for (const lang of messageLanguages()) {
      const source = builtInSource(name, lang, { PASSWORDS_ENABLED: true })
      const template = { ...source, html: isTextMessage(name) ? null : htmlSource(name, source.text) }
      const own = render(template, {}, name, lang)
      const builtIn = renderMessage(name, lang, sampleValues(name, settings))
      assert.deepEqual([own.subject, own.text], [builtIn.subject, builtIn.text])
      assert.equal(textOf(own.html), textOf(builtIn.html))
    }
  })
}

test('every variable has a sample, and no sample is a token', () => {
  for (const name of messageNames) {
    const values = sampleValues(name, settings)
    assert.deepEqual(Object.keys(values).toSorted(), messageVariables(name).toSorted())
    assert.doesNotMatch(JSON.stringify(values), /token/)
  }
})

test('a text message keeps the line from which phones read the code, and has no HTML', () => {
  const text = 'Code {{code}}\n\n@{{host}} #{{code}}'
  assert.deepEqual(problemsOf({ subject: 'Code', text, html: null }, 'login_code'), [])
  refused({ text: 'Code {{code}}' }, /^text must end with the line/, 'login_code')
  refused({ text: `${'x'.repeat(480)}${text}` }, /^text must have at most 480/, 'login_code')
  refused({ text, html: '<p>{{code}}</p>' }, /^html must be empty/, 'login_code')
})
