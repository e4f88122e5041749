import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minute } from '../../../src/lib/time.ts'
import { registered, type SignedIn, withSession } from '../../support/people.ts'
import type { Reply, TestApp } from '../../support/test-app.ts'
import { startTestApp } from '../../support/test-app.ts'
import { tagsOf, textOf } from '../all-pages.ts'
import type { Visitor } from '../support.ts'
import { staffOf } from './support.ts'

let app: TestApp
before(async () => {
  const env = { REAUTH_WINDOW: '10m', ADMIN_SESSION_IDLE_TTL: '60m', RATE_LIMIT_LOGIN: '1000/15m' }
  app = await startTestApp({ env: { ...env, RATE_LIMIT_BULK: '1000/1h' } })
})
after(() => app.stop())

/** A superadmin whose last authentication is too old. */
async function unproven(): Promise<SignedIn & Visitor> {
  const root = await staffOf(app, 'superadmin')
  app.clock.advance(11 * minute)
  return root
}

/** Reauthenticates in another tab. The tab has the same cookies, but the form in the first tab does not change. */
async function confirmInNewTab(root: SignedIn & Visitor, { text }: Reply): Promise<Reply> {
  const link = tagsOf(text).find(({ name, attributes }) => name === 'a' && attributes.target === '_blank')
  await root.open(link?.attributes.href ?? '')
  const confirmed = await root.send('/account/confirm', { way: 'password', proof: root.password })
  return root.open(String(confirmed.headers.location))
}

/** The values that the browser submits from the form still open in the first tab. */
function formOf({ text }: Reply, action: string): Record<string, string> {
  const form = text.split(`action="${action}">`)[1]?.split('</form>')[0] ?? ''
  const inputs = tagsOf(form).filter(({ name, attributes }) => name === 'input' && attributes.name)
  return Object.fromEntries(inputs.map(({ attributes }) => [attributes.name ?? '', attributes.value ?? '']))
}

test('a selection for a bulk action outlasts a new proof', async () => {
  const people = [await registered(app), await registered(app)]
  const root = await unproven()
  await root.open('/admin/people')
  await root.send('/admin/bulk/people', { action: 'block', pick0: people[0]!.id, pick1: people[1]!.id })
  const confirm = '/admin/bulk/people/confirm'
  const asked = await root.send(confirm, { reason: 'Advertising & more' })
  assert.equal(asked.status, 403)
  assert.match(textOf(asked.text), /requires you to confirm your identity/)
  const form = formOf(asked, confirm)
  assert.equal(form.reason, 'Advertising & more')
  assert.equal(form.ids, people.map(({ id }) => id).join(' '))
  const back = await confirmInNewTab(root, asked)
  assert.match(textOf(back.text), /You confirmed your identity\. Return to the other tab and save again/)
  assert.doesNotMatch(textOf(back.text), /Users/)
  const done = await root.send(confirm, form)
  assert.match(textOf(done.text), /Blocked 2 users/)
  for (const { sessionToken } of people)
    assert.equal((await app.get('/auth/me', withSession(sessionToken))).status, 401)
})

test('the chosen role outlasts a new proof', async () => {
  const ada = await registered(app)
  const root = await unproven()
  await root.open('/admin/people')
  await root.send('/admin/bulk/people', { action: 'set_role', pick0: ada.id })
  const asked = await root.send('/admin/bulk/people/confirm', { user_type: 'writer' })
  assert.match(asked.text, /<option value="writer" selected>/)
})

test('the draft of a message outlasts a new proof', async () => {
  const root = await unproven()
  const editor = '/admin/messages/templates/password_reset/en'
  await root.open(editor)
  const draft = { subject: 'Kept words', text: 'Hello {{name}},\n\nGo:\n{{url}}', html: '', version: '0' }
  const asked = await root.send(editor, { ...draft, action: 'save' })
  assert.equal(asked.status, 403)
  assert.match(asked.text, /value="Kept words"/)
  assert.match(textOf(asked.text), /Go:\n\{\{url\}\}/)
  const form_token = formOf(asked, editor).form_token ?? ''
  const back = await confirmInNewTab(root, asked)
  assert.match(textOf(back.text), /You confirmed your identity/)
  const saved = await root.send(editor, { ...draft, form_token, action: 'save' })
  assert.equal(saved.headers.location, `${editor}?done=saved`)
})

test('the reason of an action on one person outlasts a new proof', async () => {
  const ada = await registered(app)
  const root = await unproven()
  const path = `/admin/people/${ada.id}/impersonate`
  await root.open(path)
  const asked = await root.send(path, { reason: 'An empty page & more' })
  assert.equal(asked.status, 403)
  assert.match(textOf(asked.text), /requires you to confirm your identity/)
  const form = formOf(asked, path)
  assert.equal(form.reason, 'An empty page & more')
  const back = await confirmInNewTab(root, asked)
  assert.match(textOf(back.text), /You confirmed your identity/)
  assert.equal((await root.send(path, form)).status, 303)
  assert.match(textOf((await root.open('/account')).text), /You’re acting as /)
})

test('the values of settings outlast a new proof', async () => {
  const root = await unproven()
  const chapter = '/admin/settings/names-and-languages'
  await root.open(chapter)
  const asked = await root.send(chapter, { APP_NAME: 'Kept name', APP_ACCENT: '#123456' })
  assert.equal(asked.status, 403)
  const form = formOf(asked, chapter)
  assert.deepEqual([form.APP_NAME, form.APP_ACCENT], ['Kept name', '#123456'])
  const back = await confirmInNewTab(root, asked)
  assert.match(textOf(back.text), /You confirmed your identity/)
  assert.match(String((await root.send(chapter, form)).headers.location), /done=saved/)
})

test('an export asks for the proof that the file needs, and keeps the search', async () => {
  const ada = await registered(app, 'ada', { name: 'Rosalind' })
  const root = await unproven()
  const search = '/admin/people/export?q=rosalind'
  const asked = await root.open(search)
  assert.equal(asked.status, 303)
  assert.equal(asked.headers.location, `/account/confirm?next=${encodeURIComponent(search)}`)
  await root.open(String(asked.headers.location))
  const confirmed = await root.send('/account/confirm', { way: 'password', proof: root.password })
  assert.equal(confirmed.headers.location, `${search}&done=confirmed`)
  const page = await root.open(`${search}&done=confirmed`)
  assert.match(textOf(page.text), /The file will contain 1 user/)
  const file = tagsOf(page.text).find(({ attributes }) => attributes.href?.includes('format=csv'))
  const csv = await root.open(file?.attributes.href ?? '')
  assert.equal(csv.status, 200)
  assert.match(csv.text, new RegExp(ada.email))
  assert.equal((await root.open(search)).status, 200, 'the proof is recent now')
})

test('a proof that would expire while the page is open is asked for again', async () => {
  const root = await staffOf(app, 'superadmin')
  assert.equal((await root.open('/admin/people/export')).status, 200)
  app.clock.advance(9 * minute)
  assert.equal((await root.open('/admin/people/export')).status, 303)
})
