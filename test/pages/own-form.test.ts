import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { hour } from '../../src/lib/time.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { memberOf } from './account/support.ts'
import { type Visitor, visitor } from './support.ts'

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

test('a form that was only open for too long leaves none', async () => {
  const ada = await memberOf(app)
  const before = (await rejected()).length
  await ada.open('/account/profile')
  app.clock.advance(3 * hour)
  assert.equal((await ada.send('/account/profile/phone', { phone: '' })).status, 400)
  assert.equal((await rejected()).length, before)
})

const asks = /(\S+ )?(\w+\.isOwn|\w+\.submit(<.*>)?|isFromOwnForm|isSentFromHere)\((?!$)/gm

// The compiler accepts `!promise`. If `await` were missing once, forms from any site would be accepted.
test('every page waits for the answer whether a form is its own', () => {
  const calls = globSync('src/{pages,tokens,modules/*/pages}/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(asks)].map(([call, before]) => ({
      file,
      call,
      isAwaited: /await $/.test(before ?? ''),
    })),
  )
  const passedOn = ['src/pages/shared/visit.ts', 'src/pages/account/shared/account-visit.ts']
  assert.ok(calls.length > 30)
  assert.deepEqual(
    calls.filter(({ file, call, isAwaited }) => !isAwaited && !passedOn.includes(file) && !call.startsWith('function')),
    [],
  )
})

test('every form is asked whether it is our own', () => {
  const files = globSync('src/{pages,modules/*/pages}/**/*routes.ts').map((file) => ({
    file,
    text: readFileSync(file, 'utf8'),
  }))
  const forms = ({ text }: { text: string }) => text.match(/\bpost\($|\bpost\([^)]/gm)?.length ?? 0
  assert.ok(files.filter(forms).length > 15)
  assert.deepEqual(
    files.filter((one) => forms(one) > [...one.text.matchAll(asks)].length).map(({ file }) => file),
    [],
  )
})
