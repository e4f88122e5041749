import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { passwordRules } from '../../src/config/password-rules.ts'
import { forgotSentPage } from '../../src/screens/password-reset/forgot/view.ts'
import { resetPage } from '../../src/screens/password-reset/reset/view.ts'
import { registerPage } from '../../src/screens/registration/register/view.ts'
import { verifyEmailPage } from '../../src/screens/registration/verify-email/view.ts'
import { loginCodePage } from '../../src/screens/sign-in/by-mail/view.ts'
import { loginPage } from '../../src/screens/sign-in/login/view.ts'
import { homePage } from '../../src/screens/start/home/view.ts'
import { confirmLinkPage } from '../../src/ui/messages/confirm/view.ts'
import { errorPage } from '../../src/ui/messages/error/view.ts'
import { type NoticeKey, noticeFor, noticePage } from '../../src/ui/messages/notice/view.ts'
import { pageLanguages, textsFor } from '../../src/ui/texts/index.ts'
import { contextFor, scriptOf, tagsOf, textOf } from './all-pages.ts'

const page = contextFor('en')
const newHome = {
  development: true,
  hasAdmin: false,
  suggestedModule: 'notes',
  hasPasswords: true,
  registerPath: undefined,
  docs: true,
}
const linksOf = (html: string) => tagsOf(html).flatMap(({ name, attributes }) => (name === 'a' ? attributes.href : []))

test('the home page links to the development inbox only where there is one', () => {
  assert.ok(linksOf(homePage(newHome, page)).includes('/dev/inbox'))
  assert.ok(!linksOf(homePage({ ...newHome, development: false }, page)).includes('/dev/inbox'))
  for (const docs of [true, false]) assert.equal(linksOf(homePage({ ...newHome, docs }, page)).includes('/docs'), docs)
})

test('pages that speak of an inbox lead to the development inbox where mail is kept there', () => {
  for (const inbox of [true, false]) {
    const context = { ...page, inbox }
    const waiting = { forms: { again: 'a', code: 'c' }, address: 'ada@example.com', codeLifetime: 1, next: undefined }
    for (const html of [
      verifyEmailPage(waiting, context),
      forgotSentPage({ formToken: 'p', codeLifetime: 1 }, context),
      loginCodePage({ formToken: 'p', codeLifetime: 1 }, context),
    ])
      assert.equal(linksOf(html).includes('/dev/inbox'), inbox)
  }
})

test('the home page shows the service address and no version', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const html = homePage(newHome, page)
  assert.match(textOf(html), /curl https:\/\/id\.example\.com\/auth\/register\/public/)
  assert.ok(!textOf(html).includes(version))
})

test('a confirm page is one form with one button, and does nothing by itself', () => {
  const data = {
    purpose: 'verify_email',
    action: '/auth/token/verify',
    token: 'the-token',
    formToken: 'the-page',
  } as const
  const html = confirmLinkPage(data, page)
  const tags = tagsOf(html)
  assert.deepEqual(
    tags.filter(({ name }) => name === 'form').map(({ attributes }) => attributes),
    [{ class: 'panel', method: 'post', action: '/auth/token/verify' }],
  )
  assert.deepEqual(
    tags.filter(({ name }) => name === 'input').map(({ attributes }) => attributes),
    [
      { type: 'hidden', name: 'token', value: 'the-token' },
      { type: 'hidden', name: 'form_token', value: 'the-page' },
    ],
  )
  assert.equal(tags.filter(({ name }) => name === 'button').length, 1)
  assert.doesNotMatch(scriptOf(html) ?? '', /submit\(\)|click\(\)|fetch/)
})

test('a confirm page posts to this service only', () => {
  for (const action of ['//evil.example', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)', '']) {
    assert.throws(() => confirmLinkPage({ purpose: 'verify_email', action, token: 't', formToken: 'p' }, page))
  }
})

for (const lang of pageLanguages) {
  test(`every notice has its words in ${lang}`, () => {
    for (const key of Object.keys(textsFor(lang).notices) as NoticeKey[]) {
      const { title, message } = textsFor(lang).notices[key]
      assert.equal(
        textOf(noticePage(noticeFor(key, lang), contextFor(lang)))
          .split('\n')
          .slice(-2)
          .join('|'),
        `${title}|${message}`,
      )
    }
  })
}

test('the first link of a notice is a button, and links lead to paths and web addresses only', () => {
  const links = [
    { href: 'https://app.example.com/login', label: 'Sign in' },
    { href: '/docs', label: 'API' },
  ]
  const html = noticePage({ ...noticeFor('verified', 'en'), links }, page)
  assert.match(html, /<a class="button" href="https:\/\/app\.example\.com\/login">Sign in<\/a>/)
  assert.match(html, /<a href="\/docs">API<\/a>/)
  for (const href of ['javascript:alert(1)', '//evil.example', 'data:text/html,x', 'https://a b']) {
    assert.throws(() => noticePage({ ...noticeFor('verified', 'en'), links: [{ href, label: 'x' }] }, page))
  }
})

test('a field for a new password tells its rule, and is left empty when it comes again', () => {
  const details = [{ field: 'password', message: 'is too common: choose a less common one' }]
  const rejection = { code: 'WEAK_PASSWORD', details }
  const given = { email: 'ada@example.com', name: 'Ada', last_name: '' }
  const html = registerPage({ formToken: 'p', minPasswordLength: 15, hasLastName: true, input: given, rejection }, page)
  const inputs = tagsOf(html).filter(({ name }) => name === 'input')
  const password = inputs.find(({ attributes }) => attributes.id === 'password')
  assert.equal(password?.attributes.minlength, '15')
  assert.equal(password?.attributes.autocomplete, 'new-password')
  assert.equal(password?.attributes['aria-invalid'], 'true')
  assert.equal(password?.attributes.value, undefined)
  assert.match(textOf(html), /check the marked fields[\s\S]*This password is too common[\s\S]*At least 15 characters/)
  assert.deepEqual(
    inputs.map(({ attributes }) => attributes.value),
    ['p', 'ada@example.com', undefined, 'Ada', ''],
  )
})

for (const lang of pageLanguages) {
  test(`every rule of passwords has its words in ${lang}`, () => {
    for (const rule of Object.values(passwordRules)) {
      const message = typeof rule === 'function' ? rule(8) : rule
      const rejection = { code: 'WEAK_PASSWORD', details: [{ field: 'password', message }] }
      const html = resetPage({ formToken: 'p', hasPassword: true, minPasswordLength: 8, rejection }, contextFor(lang))
      assert.ok(!textOf(html).includes(textsFor(lang).form.problems.weak), message)
    }
  })
}

const nothingElse = { passkey: undefined, byMail: false, password: true, registerPath: undefined, providers: [] }

test('the sign-in page says what happened before, and shows only the ways in that are offered', () => {
  const login = { formToken: 'p', next: '/account' }
  assert.match(textOf(loginPage({ ...login, ways: nothingElse, notice: 'verified' }, page)), /Email address confirmed/)
  const bare = loginPage({ ...login, ways: nothingElse }, page)
  assert.doesNotMatch(textOf(bare), /confirmed|passkey|Continue with/)
  assert.deepEqual(linksOf(bare), ['#main', '/', '/forgot'])
  assert.doesNotMatch(scriptOf(bare) ?? '', /credentials|passkey/)
  const all = loginPage(
    {
      ...login,
      ways: {
        passkey: { autofill: false },
        byMail: true,
        password: true,
        registerPath: '/register',
        providers: [{ name: 'github', title: 'GitHub' }],
      },
    },
    page,
  )
  assert.match(textOf(all), /passkey[\s\S]*Continue with GitHub/)
  assert.deepEqual(linksOf(all).slice(3), ['/login/mail', '/auth/social/github/login?screen=login', '/register'])
})

test('an error page tells status and request id, with a sentence for every status', () => {
  const { errors } = textsFor('en')
  const sentences = {
    400: 'invalid',
    404: 'notFound',
    405: 'method',
    429: 'limited',
    500: 'internal',
    503: 'unavailable',
  } as const
  for (const [status, key] of Object.entries(sentences)) {
    const text = textOf(errorPage({ status: Number(status), requestId: 'req-1', home: '/account' }, page))
    assert.ok(text.includes(status) && text.includes(errors[key]) && text.includes('req-1'), status)
  }
  assert.ok(textOf(errorPage({ status: 418, requestId: '', home: '/account' }, page)).includes(errors.invalid))
  assert.ok(textOf(errorPage({ status: 599, requestId: '', home: '/account' }, page)).includes(errors.internal))
})

test('an error page leads on, and to the same address again where that may help', () => {
  const lost = { requestId: 'req-1', home: 'https://app.example.com', again: '/login?x=1' }
  assert.deepEqual(linksOf(errorPage({ ...lost, status: 404 }, page)).slice(2), ['https://app.example.com'])
  const limited = errorPage({ ...lost, status: 429, retryAfter: 125 }, page)
  assert.deepEqual(linksOf(limited).slice(2), ['/login?x=1', 'https://app.example.com'])
  assert.match(textOf(limited), /try again in 3 minutes/)
  const elsewhere = errorPage({ ...lost, status: 503, again: '//evil.example' }, page)
  assert.deepEqual(linksOf(elsewhere).slice(2), ['https://app.example.com'])
})

test('a refused code is marked, focused and described by what was wrong; another problem is none of the code', () => {
  const html = (problem: string | undefined) => loginCodePage({ formToken: 'p', codeLifetime: 600_000, problem }, page)
  const field = (problem?: string) =>
    tagsOf(html(problem)).find(({ attributes }) => attributes.id === 'code')?.attributes
  const { 'aria-invalid': invalid, 'aria-describedby': about, ...refused } = field('INVALID_CODE') ?? {}
  assert.deepEqual([invalid, about, 'autofocus' in refused], ['true', 'form-problem code-hint', true])
  assert.match(html('INVALID_CODE'), /id="form-problem" role="alert">This code is wrong or has expired\./)
  for (const other of [undefined, 'PAGE_EXPIRED']) {
    assert.equal(field(other)?.['aria-invalid'], undefined)
    assert.equal(field(other)?.['aria-describedby'], 'code-hint')
  }
  assert.match(textOf(html(undefined)), /6 digits, valid for 10 minutes/)
})

test('who waits for the message has one button, and skips it by a link after all that helps', () => {
  const data = { forms: { again: 'a', code: 'c' }, address: 'ada@example.com', codeLifetime: 1, next: '/account' }
  assert.match(textOf(verifyEmailPage(data, page)), /Confirm\n[\s\S]*Send it again\n\s*Skip for now/)
})

test('no template has an attribute whose quotes are escaped', () => {
  const templates = globSync('src/**/*.eta')
  assert.ok(templates.length > 50)
  assert.deepEqual(
    templates.filter((file) => readFileSync(file, 'utf8').includes('=\\"')),
    [],
  )
})
