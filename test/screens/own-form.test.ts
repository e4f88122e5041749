import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { hour } from '../../src/lib/time.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { memberOf, signedInBrowser } from './account/support.ts'
import { textOf } from './all-pages.ts'
import { hiddenFields, type Visitor, visitor } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

const rejected = async () =>
  (await auditOf(app, 'csrf_rejected')).map(({ outcome, ...row }) => ({ outcome, ...(row as { actor_id?: string }) }))

test('a form that another site sends leaves a trace, with whom it was sent for', async () => {
  const ada = await memberOf(app)
  const stranger = visitor(app)
  const forms: [Visitor, page: string, action: string, fields: Record<string, string>, actor: string | null][] = [
    [stranger, '/login', '/login', { identifier: ada.email, password: ada.password }, null],
    [stranger, '/login', '/language', { lang: 'es' }, null],
    [ada, '/account/profile', '/account/profile/phone', { phone: '+34612345678' }, ada.id],
    [ada, '/account/sessions', '/account/sessions/end-others', {}, ada.id],
    [ada, '/account', '/logout', {}, null],
  ]
  for (const [browser, page, action, fields, actor] of forms) {
    const before = await rejected()
    await browser.open(page)
    await browser.send(action, fields, { 'sec-fetch-site': 'cross-site' })
    const events = (await rejected()).slice(before.length)
    assert.deepEqual(
      events.map(({ outcome, actor_id }) => [outcome, actor_id]),
      [['failure', actor]],
      action,
    )
  }
})

test('a form opened by another person says who is signed in now, and does not show what was typed', async () => {
  const [ada, grace] = [await memberOf(app), await memberOf(app)]
  const forms = [
    ['/account/profile', '/account/profile/phone', { phone: '+34612345678' }],
    ['/account/password', '/account/password', { new_password: 'a tape without an end' }],
  ] as const
  for (const [page, action, fields] of forms) {
    const { form_token = '' } = hiddenFields((await grace.open(page)).text, action)
    await ada.open(page)
    const reply = await ada.send(action, { ...fields, form_token })
    assert.equal(reply.status, 400)
    assert.match(textOf(reply.text), new RegExp(`You’re signed in as ${ada.email.replace('.', '\\.')}`))
    assert.doesNotMatch(textOf(reply.text), /open for too long/)
    assert.doesNotMatch(reply.text, /34612345678/)
    assert.ok(reply.text.includes(`href="${page}"`))
  }
})

test('a form opened before the same person signed in again keeps what was typed', async () => {
  const ada = await memberOf(app)
  const again = await signedInBrowser(app, ada)
  const { form_token = '' } = hiddenFields((await ada.open('/account/profile')).text, '/account/profile/phone')
  await again.open('/account/profile')
  const reply = await again.send('/account/profile/phone', { phone: '+34612345678', form_token })
  assert.equal(reply.status, 400)
  assert.match(textOf(reply.text), /open for too long/)
  assert.match(reply.text, /value="\+34612345678"/)
})

test('a form with a forged token leaves a trace, with whom it was sent for', async () => {
  const ada = await memberOf(app)
  const grace = await memberOf(app)
  await ada.open('/account/profile')
  const page = (await grace.open('/account/profile')).text
  const [form = ''] = /<form[^>]*action="\/account\/profile\/phone"[\s\S]*?<\/form>/.exec(page) ?? []
  const foreign = /name="form_token" value="([^"]+)"/.exec(form)?.[1]
  assert.ok(foreign)
  for (const token of ['', 'x', foreign]) {
    const before = await rejected()
    const { status } = await ada.send('/account/profile/phone', { phone: '', form_token: token })
    assert.equal(status, 400)
    const events = (await rejected()).slice(before.length)
    assert.deepEqual(
      events.map(({ outcome, actor_id }) => [outcome, actor_id]),
      [['failure', ada.id]],
      token,
    )
  }
})

test('a form that was only open for too long leaves none', async () => {
  const ada = await memberOf(app)
  const before = (await rejected()).length
  await ada.open('/account/profile')
  app.clock.advance(3 * hour)
  assert.equal((await ada.send('/account/profile/phone', { phone: '' })).status, 400)
  assert.equal((await rejected()).length, before)
})

const asks = /(\S+ )?(\w+\.isOwn|\w+\.submit(Kept)?(<.*>)?|isFromOwnForm|isSentFromHere|hasOwnToken)\((?!$)/gm

// The compiler accepts `!promise`, so it does not catch a missing `await`, which would let in forms from any site.
test('every page waits for the answer whether a form is its own', () => {
  const calls = globSync('src/{pages,tokens,modules/*/pages}/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(asks)].map(([call, before]) => ({
      file,
      call,
      isAwaited: /await $/.test(before ?? ''),
    })),
  )
  const passedOn = ['src/ui/shared/visit.ts', 'src/ui/shared/signed-in-visit.ts']
  assert.ok(calls.length > 30)
  assert.deepEqual(
    calls.filter(({ file, call, isAwaited }) => !isAwaited && !passedOn.includes(file) && !call.startsWith('function')),
    [],
  )
})

test('every form is asked whether it is our own', () => {
  const files = globSync('src/{pages,modules/*/pages}/**/*routes.ts')
  const forms = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    // Each handler's source, up to the next route.
    const handlers = text.split(/(?=\b(?:pages|http)\.(?:get|post)\()/).filter((part) => /^\w+\.post\(/.test(part))
    return handlers.map((handler) => ({
      file,
      handler,
      asks: asksOwn(handler) || calledBy(handler, file, text).some(asksOwn),
    }))
  })
  assert.ok(forms.length > 30)
  assert.deepEqual(
    forms.filter((form) => !form.asks),
    [],
  )
})

const asksOwn = (text: string): boolean =>
  /\.(isOwn|submit(Kept)?)(<[^(]*>)?\(|\b(isFromOwnForm|isSentFromHere)\(/.test(text)

/** The source of the functions that a handler calls: functions in the same file, and entire files of imported ones. */
function calledBy(handler: string, file: string, text: string): string[] {
  const names = new Set(Array.from(handler.matchAll(/\b(\w+)\(/g), ([, name]) => name ?? ''))
  const own = text.split(/^(?=(?:export )?(?:async )?(?:function|const) )/m)
  const imported = Array.from(text.matchAll(/^import \{([^}]+)\} from '(\.[^']+)'/gm))
  return [
    ...own.filter((part) => names.has(/^(?:export )?(?:async )?(?:function|const) (\w+)/.exec(part)?.[1] ?? '')),
    ...imported
      .filter(([, list = '']) => list.split(',').some((name) => names.has(name.trim())))
      .map(([, , path = '']) => readFileSync(join(dirname(file), path), 'utf8')),
  ]
}
