import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { contrast } from '../../src/lib/colour.ts'
import { defaultBranding, mailBrandingOf } from '../../src/outbox/mail-branding.ts'
import '../../src/modules/index.ts'
import {
  type MessageName,
  messageFolder,
  messageLanguages,
  messageNames,
  messageVariables,
} from '../../src/outbox/messages.ts'
import { renderMessage } from '../../src/outbox/render-message.ts'
import { tagsOf, textOf } from '../screens/all-pages.ts'
import { anyCharacter } from '../support/any-character.ts'

const given = {
  app_name: 'Example Shop',
  name: 'Ada',
  time: '2026-01-31T12:05:00.000Z',
  url: 'https://id.example.com/auth/token/verify?token=abc&x=1',
  expires_in: '86400',
  code: '012345',
  code_expires_in: '600',
  host: 'app.example.com',
  login_url: 'https://app.example.com/login',
  reset_url: 'https://app.example.com/reset-password',
  support_url: 'https://app.example.com/help',
  changed: 'password',
  method: 'totp',
  remaining: '9',
  phone_masked: '***123',
  passkey: 'YubiKey 5',
  provider: 'Google',
  ip: '203.0.113.9',
  user_agent: 'Chrome on macOS',
  confirm_url: 'https://id.example.com/auth/email-change/verify?token=abc',
  cancel_url: 'https://id.example.com/auth/email-change/cancel?token=def',
  old_email_masked: 'a***@example.com',
  new_email_masked: 'g***@example.org',
  restorable_until: '2026-03-02T12:05:00.000Z',
  scheduled_for: '2026-03-02T12:05:00.000Z',
  deletion_url: 'https://id.example.com/account/privacy',
  invited_by: 'Grace Hopper',
  webhooks_url: 'https://id.example.com/admin/webhooks/1',
  application: 'Shop',
  addresses: 'https://shop.example.org',
  key_name: 'deploy',
  api_keys: 'deploy, backup',
  key_hint: 'wkp_003aUlTJ…rrNz',
  keys_url: 'https://id.example.com/account/keys',
  scopes: 'wardenry:profile:read',
  valid_until: '2026-03-02T12:05:00.000Z',
  reason: 'revoked',
  secret_hint: 'wbs_003aUlTJ…rrNz',
  algs: 'ES256, RS256',
  rights: 'sessions, users',
  role: 'Moderator',
  permissions: 'users:read, users:block',
  audit_url: 'https://id.example.com/admin/audit',
}

// In email addresses, an invisible character prevents email programs from creating links.
const unlinked = {
  addresses: 'https:\u2060//shop.\u2060example.\u2060org',
  old_email_masked: 'a***@example.\u2060com',
  new_email_masked: 'g***@example.\u2060org',
}

const shown: Record<string, Record<string, string>> = {
  en: {
    ...given,
    ...unlinked,
    time: 'January 31, 2026 at 12:05 UTC',
    restorable_until: 'March 2, 2026 at 12:05 UTC',
    scheduled_for: 'March 2, 2026 at 12:05 UTC',
    valid_until: 'March 2, 2026 at 12:05 UTC',
    reason: 'it was revoked',
    expires_in: '24 hours',
    code_expires_in: '10 minutes',
    method: 'authenticator app',
  },
  es: {
    ...given,
    ...unlinked,
    time: '31 de enero de 2026 a las 12:05 UTC',
    restorable_until: '2 de marzo de 2026 a las 12:05 UTC',
    scheduled_for: '2 de marzo de 2026 a las 12:05 UTC',
    valid_until: '2 de marzo de 2026 a las 12:05 UTC',
    reason: 'se ha revocado',
    expires_in: '24 horas',
    code_expires_in: '10 minutos',
    changed: 'contraseña',
    method: 'aplicación de autenticación',
  },
}

const advisesPassword = {
  en: /(set|change) (a new|your) password|set a new one/i,
  es: /contraseña nueva|cambia tu contraseña|elige una nueva/i,
}

/** They are sent only if there are passwords. */
const aboutPasswords: readonly string[] = ['password_reset', 'password_changed']

const render = (name: MessageName, lang: string, changes: Partial<typeof given> = {}) =>
  renderMessage(name, lang, { ...given, ...changes })

test('English and Spanish are installed', () => {
  assert.deepEqual(messageLanguages(), ['en', 'es'])
})

for (const lang of ['en', 'es'] as const) {
  for (const name of messageNames) {
    describe(`${name} (${lang})`, () => {
      const message = render(name, lang)

      test('uses every variable', () => {
        for (const key of messageVariables(name)) {
          assert.ok(`${message.subject}\n${message.text}`.includes(shown[lang]?.[key] ?? 'missing'), key)
        }
      })

      test('has a one-line subject that names the product and nothing of the user', () => {
        assert.match(message.subject, /^[^\r\n]*Example Shop[^\r\n]*$/)
        assert.equal(render(name, lang, { name: 'Grace', user_agent: 'Other', ip: '::1' }).subject, message.subject)
      })

      test('says the same in text and HTML', () => {
        const words = (text: string) =>
          text
            .replace(/:$/gm, '')
            .split(/\s*\n\s*/)
            .filter(Boolean)
        assert.deepEqual(words(textOf(message.html)), ['Example Shop', ...words(message.text)])
      })

      test('has one button for each link, and no other link, image or script', () => {
        const tags = tagsOf(message.html)
        const links = messageVariables(name).filter((key) => key.endsWith('url'))
        assert.deepEqual(
          tags.filter((tag) => tag.name === 'a').map(({ attributes }) => attributes.href),
          links.map((key) => given[key as keyof typeof given]),
        )
        assert.ok(tags.every((tag) => !['img', 'script', 'link', 'iframe', 'form'].includes(tag.name)))
        assert.deepEqual(tags[0]?.attributes, { lang, dir: 'ltr' })
      })

      test('advises to set a password only if there are passwords', () => {
        const { subject, text } = renderMessage(name, lang, given, { branding: defaultBranding, hasPasswords: false })
        for (const key of messageVariables(name))
          assert.ok(`${subject}\n${text}`.includes(shown[lang]?.[key] ?? 'missing'), key)
        if (!aboutPasswords.includes(name)) assert.doesNotMatch(text, advisesPassword[lang])
      })

      test('refuses to be sent with a variable missing', () => {
        const isOptional = (key: string) =>
          key === 'invited_by' || (/^(verify_email|password_reset)$/.test(name) && key.startsWith('code'))
        for (const key of messageVariables(name).filter((one) => !isOptional(one))) {
          const { [key]: _, ...rest } = given as Record<string, string>
          assert.throws(() => renderMessage(name, lang, rest), new RegExp(key))
        }
      })
    })
  }
}

test('every language has every message and no other', () => {
  for (const lang of messageLanguages()) {
    const folders = new Set(messageNames.map(messageFolder))
    const files = [...folders].flatMap((folder) => readdirSync(join(folder, lang)))
    assert.deepEqual(files.sort(), messageNames.map((name) => `${name}.eta`).sort())
  }
})

test('a region reads its language, and an unknown or hostile language reads English', () => {
  assert.match(render('verify_email', 'es-MX').text, /^Hola/)
  for (const lang of ['xx', '', '../../pages', 'en/../es']) assert.match(render('verify_email', lang).text, /^Hello/)
})

test('users without a name are greeted too', () => {
  assert.match(render('verify_email', 'en', { name: '' }).text, /^Hello,\n/)
  assert.match(render('verify_email', 'es', { name: ' \u202e ' }).text, /^Hola:\n/)
})

test('markup and template code in a name stay what they are', () => {
  for (const name of ['<a href=//evil>', '{{7*7}}', '<%= 1 %>', '"><script>', '=cmd()', '&lt;b&gt;']) {
    const { text, html } = render('verify_email', 'en', { name })
    assert.ok(text.startsWith(`Hello ${name},\n`), name)
    assert.ok(textOf(html).includes(`Hello ${name},`), name)
    assert.equal(tagsOf(html).length, tagsOf(render('verify_email', 'en').html).length)
  }
})

test('a name cannot start a line, and so becomes neither a button nor a header', () => {
  const { subject, text, html } = render('new_device', 'en', {
    name: `Ada\r\nBcc: x@evil.example\n\n${given.reset_url}\u2028x`,
    user_agent: `\n${given.login_url}\n`,
  })
  assert.ok(!subject.includes('evil'))
  assert.match(text, /^Hello Ada Bcc: x@/)
  assert.equal(text.split('\n').length, render('new_device', 'en').text.split('\n').length)
  assert.ok(tagsOf(html).every((tag) => tag.name !== 'a'))
})

test('an address in a name is broken, so that mail programs do not link it', () => {
  const { text } = render('new_device', 'en', { name: 'https://evil.example www.evil.example a@evil.example' })
  assert.doesNotMatch(text, /:\/\/|\.[a-z]*evil|evil\.example/)
  assert.match(render('new_device', 'en', { ip: '203.0.113.9' }).text, /IP address: 203\.0\.113\.9/)
})

test('direction marks and other invisible characters are taken out, letters of all scripts stay', () => {
  const { text } = render('verify_email', 'en', { name: '\u202eعمر\u2066 \u200fŁukasz\ufeff 李\u0000 👩\u200d💻' })
  assert.match(text, /^Hello عمر Łukasz 李 👩\u200d💻,/)
})

test('long values are cut at a whole character', () => {
  assert.match(render('verify_email', 'en', { name: '😀'.repeat(500) }).text, /^Hello (😀){99}…,\n/)
  assert.match(render('new_device', 'en', { user_agent: 'x'.repeat(5000) }).text, /Device: x{199}…\n/)
})

test('whatever a name is, subject, lines and structure of the message stay the same', () => {
  const plain = render('account_exists', 'en')
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, minLength: 1, maxLength: 300 }), (name) => {
      const { subject, text, html } = render('account_exists', 'en', { name })
      assert.equal(subject, plain.subject)
      assert.deepEqual(text.split('\n').slice(1), plain.text.split('\n').slice(1))
      assert.deepEqual(
        tagsOf(html).map((tag) => tag.name),
        tagsOf(plain.html).map((tag) => tag.name),
      )
    }),
    { numRuns: 200 },
  )
})

test('links are addresses of the web or of an app, and an error does not repeat them', () => {
  assert.ok(
    render('verify_email', 'en', { url: 'myapp://verify?token=abc' }).html.includes('href="myapp://verify?token=abc"'),
  )
  for (const url of ['javascript://x/%0aalert(1)', '/verify', 'https://a.example/ x', 'https://a.example/"><b>', '']) {
    assert.throws(
      () => render('verify_email', 'en', { url: url && `${url}?token=s3cret` }),
      (error: Error) => !error.message.includes('s3cret'),
    )
  }
})

test('durations are told in the largest whole unit', () => {
  const told = (seconds: number, lang: string) => render('verify_email', lang, { expires_in: String(seconds) }).text
  const table = [
    [900, '15 minutes', '15 minutos'],
    [3600, '60 minutes', '60 minutos'],
    [5400, '90 minutes', '90 minutos'],
    [86_400, '24 hours', '24 horas'],
    [604_800, '7 days', '7 días'],
    [61, '61 seconds', '61 segundos'],
  ] as const
  for (const [seconds, english, spanish] of table) {
    assert.ok(told(seconds, 'en').includes(english), english)
    assert.ok(told(seconds, 'es').includes(spanish), spanish)
  }
})

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
const settings = { APP_ACCENT: undefined, APP_LOGO: undefined, PUBLIC_URL: 'https://id.example.com' }
const withLook = (changes: Partial<Parameters<typeof mailBrandingOf>[0]>) =>
  renderMessage('verify_email', 'en', given, { branding: mailBrandingOf({ ...settings, ...changes }) }).html

test('the label of a button is read on any accent, and the button on its paper, in both schemes', () => {
  fc.assert(
    fc.property(hex, (accent) => {
      const { light, dark } = mailBrandingOf({ ...settings, APP_ACCENT: accent })
      for (const { background, ink } of [light, dark]) assert.ok(contrast(background, ink) >= 4.5, accent)
      for (const paper of ['#f5f7f5', '#ffffff']) assert.ok(contrast(light.background, paper) >= 4.5, accent)
      for (const paper of ['#0f1311', '#161b18']) assert.ok(contrast(dark.background, paper) >= 4.5, accent)
      const html = withLook({ APP_ACCENT: accent })
      assert.ok(html.includes(`background: ${light.background}; color: ${light.ink};`), accent)
      assert.ok(html.includes(`.button { background: ${dark.background} !important;`), accent)
    }),
    { numRuns: 200 },
  )
})

test('a logo has an address of ours and its own size; one that is no word mark stands before the name', () => {
  const bytes = Buffer.from('picture')
  const images = (logo: { type: 'image/png' | 'image/webp' | 'image/svg+xml'; width: number; height: number }) => {
    const html = withLook({ APP_LOGO: { ...logo, bytes } })
    return { images: tagsOf(html).filter(({ name }) => name === 'img'), says: textOf(html).includes('Example Shop\n') }
  }
  const mark = images({ type: 'image/png', width: 64, height: 64 })
  const { src, alt, width, height } = mark.images[0]?.attributes ?? {}
  assert.match(src ?? '', /^https:\/\/id\.example\.com\/logo\?v=[0-9a-f]{12}$/)
  assert.deepEqual([alt, width, height, mark.says], ['', '32', '32', true])
  const word = images({ type: 'image/webp', width: 400, height: 100 })
  assert.deepEqual(
    [word.images[0]?.attributes.alt, word.images[0]?.attributes.width, word.says],
    ['Example Shop', '128', false],
  )
  assert.deepEqual(images({ type: 'image/svg+xml', width: 64, height: 64 }), { images: [], says: true })
})

test('a paragraph that is only the code is large; a code inside a sentence, and a message without one, are plain', () => {
  const large = (name: MessageName, changes: Partial<typeof given> = {}) =>
    tagsOf(render(name, 'en', changes).html).filter(({ attributes }) => attributes.style?.includes('600 28px')).length
  for (const name of ['verify_email', 'password_reset', 'login_link', 'two_factor_code'] as const)
    assert.equal(large(name), 1, name)
  for (const name of ['login_code', 'new_device'] as const) assert.equal(large(name), 0, name)
})

test('a logo stands on a light plate where the mail is dark, and the label of a button is centred', () => {
  const html = withLook({ APP_LOGO: { type: 'image/png', width: 400, height: 100, bytes: Buffer.from('picture') } })
  assert.match(html, /prefers-color-scheme: dark[^<]*\.logo \{[^}]*background: #ffffff/)
  assert.equal(tagsOf(html).find(({ name }) => name === 'img')?.attributes.class, 'logo')
  assert.match(
    tagsOf(html).find(({ attributes }) => attributes.class === 'button')?.attributes.style ?? '',
    /text-align: center/,
  )
})

test('emails end with the contact of the operator, and text messages do not', () => {
  const settings = { PUBLIC_URL: 'https://id.example.com', APP_ACCENT: undefined, APP_LOGO: undefined }
  const contact = { SUPPORT_URL: 'https://example.com/help', SUPPORT_EMAIL: 'help@example.com' }
  const look = { branding: mailBrandingOf({ ...settings, ...contact }) }
  const values = { app_name: 'Harbour', name: 'Ada', time: '2030-01-31T12:05:00.000Z', ip: '', user_agent: '' }
  const links = { api_keys: '', keys_url: 'https://example.com/keys', support_url: 'https://example.com/reset' }
  const mail = renderMessage('password_changed', 'en', { ...values, ...links }, look)
  assert.ok(mail.text.endsWith('\n-- \nhttps://example.com/help\nhelp@example.com\n'), mail.text)
  assert.ok(
    mail.html.includes('href="mailto:help@example.com"') && mail.html.includes('href="https://example.com/help"'),
  )
  const code = { app_name: 'Harbour', url: 'https://id.example.com', code: '123456', host: 'id.example.com' }
  const sms = renderMessage('login_code', 'en', { ...code, expires_in: '600', code_expires_in: '600' }, look)
  assert.doesNotMatch(sms.text, /help/)
  const plain = renderMessage('password_changed', 'en', { ...values, ...links })
  assert.doesNotMatch(plain.text, /-- /)
})
