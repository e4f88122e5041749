import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditEvents } from '../../../src/audit/events.ts'
import { day, iso } from '../../../src/lib/time.ts'
import { shippedModules } from '../../../src/modules/index.ts'
import { eventChoices } from '../../../src/screens/console/audit/list/event-choices.ts'
import { coreEventGroups } from '../../../src/screens/console/audit/list/event-groups.ts'
import { eventSentence, type ShownAuditEvent } from '../../../src/screens/console/shared/sentences.ts'
import { adminTextsFor } from '../../../src/ui/console/texts/index.ts'
import { registered, type SignedIn, withSession } from '../../support/people.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { textOf } from '../all-pages.ts'
import type { Visitor } from '../support.ts'
import { staffOf } from './support.ts'

let app: TestApp
let admin: SignedIn & Visitor
let ada: SignedIn
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_LOGIN: '1000/15m', RATE_LIMIT_ADMIN: '100000/1h' } })
  admin = await staffOf(app, 'superadmin')
  ada = await registered(app, 'ada', { name: 'Ada', last_name: 'Lovelace' })
  await app.post('/auth/login', { email: ada.email, password: 'not the password' })
  await app.call('PUT', `/auth/admin/users/${ada.id}`, {
    ...withSession(admin.sessionToken),
    body: { user_type: 'support' },
  })
  // An export contains only events older than the request, so the clock must advance.
  app.clock.advance(1_000)
})
after(() => app.stop())

const open = async (query: Record<string, string> = {}, who: Visitor = admin) =>
  (await who.open(`/admin/audit?${new URLSearchParams(query)}`)).text

test('events are sentences that link to people, with the old and the new value in the details', async () => {
  const page = await open({ event: 'role_changed' })
  assert.match(textOf(page), /changed the role of\s+Ada Lovelace/)
  assert.ok(page.includes(`href="/admin/people/${ada.id}"`))
  assert.match(textOf(page), /from Customer to Support\./)
  assert.match(textOf(page), /customer → support/)
})

test('a sentence says whether somebody acted on themselves, on another person or on nobody who is known', () => {
  const privacy = shippedModules.flatMap(({ pages }) => pages?.console ?? [])
  const sentence = (event: string, more: Partial<ShownAuditEvent> = {}) =>
    eventSentence('en', { ...shownEvent, event, ...more }, privacy)
      .map(({ text }) => text)
      .join('')
  const own = { target_id: shownEvent.actor_id, target_label: shownEvent.actor_label }
  const other = { target_id: '019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d91', target_label: 'Anita' }
  assert.equal(sentence('session_ended', own), 'Ada ended their own sessions.')
  assert.equal(sentence('session_ended', other), 'Ada ended sessions of Anita.')
  assert.equal(sentence('export_requested', own), 'Ada exported their data.')
  assert.equal(sentence('export_requested', other), 'Ada sent Anita a copy of their data.')
  assert.equal(sentence('deletion_requested', own), 'Ada scheduled the deletion of their account.')
  assert.equal(sentence('deletion_requested', other), 'Ada scheduled the deletion of Anita.')
  const nobody = { actor_id: null, target_id: null, target_label: null }
  assert.equal(sentence('login_fail', nobody), 'A sign-in with an unknown name or address failed.')
  assert.equal(sentence('email_change_completed', nobody), 'The email address of a user was changed.')
  assert.equal(sentence('register', nobody), 'Somebody registered.')
  const details = { route: 'PUT /auth/admin/settings', code: 'REAUTH_REQUIRED' }
  assert.match(
    sentence('authz_denied', { details }),
    /^Ada had to confirm their identity before an action: PUT \/auth\/admin\/settings$/,
  )
  assert.equal(
    sentence('passkey_rejected', { details: { reason: 'last_sign_in_method' } }),
    'Ada couldn’t remove a passkey because it was the only way to sign in.',
  )
  assert.equal(sentence('passkey_rejected', { details: { reason: 'response' } }), 'A passkey wasn’t accepted.')
  assert.equal(sentence('authz_denied', { details: { route: 'GET /admin' } }), 'Ada was refused an action: GET /admin')
})

test('the filters that are set are listed with names, and each or all can be removed', async () => {
  const page = await open({ event: 'role_changed', person: ada.id, from: '2020-01-01T00:00' })
  for (const shown of [/Event: Changed the role of a user/, /User involved: Ada Lovelace/, /From: 2020-01-01 00:00/])
    assert.match(textOf(page), shown)
  assert.ok(page.includes('href="/admin/audit?event=role_changed&amp;from=2020-01-01T00%3A00"'))
  assert.match(page, /href="\/admin\/audit">Clear all filters/)
  assert.doesNotMatch(textOf(await open()), /Remove the filter/)
})

test('a sentence names what was changed, and is general if the details are absent', () => {
  const event = (name: string, details: Record<string, unknown>, lang = 'en') =>
    eventSentence(lang, { ...shownEvent, event: name, details }, [])
      .map(({ text }) => text)
      .join('')
  const changes = { SMTP_URL: { from: null, to: 'x' }, LOG_LEVEL: { from: null, to: 'y' } }
  assert.equal(event('settings_changed', { changes }), 'Ada changed these settings: SMTP_URL, LOG_LEVEL.')
  assert.equal(event('settings_changed', { changes }, 'es'), 'Ada cambió estos ajustes: SMTP_URL, LOG_LEVEL.')
  const accent = { APP_ACCENT: { from: null, to: '#123456' } }
  assert.equal(event('settings_changed', { changes: accent }), 'Ada changed these settings: Accent colour.')
  assert.equal(event('settings_changed', {}), 'Ada changed settings.')
  const message = { message: 'password_reset', language: 'en' }
  assert.equal(event('message_template_changed', message), 'Ada changed the text of the message “Password reset”.')
  assert.equal(
    event('message_template_reset', message, 'es'),
    'Ada volvió al texto incluido del mensaje «Restablecimiento de contraseña».',
  )
  assert.equal(event('settings_changed', { changes: {} }), 'Ada changed settings.')
  assert.equal(event('module_installed', { module: 'blog' }), 'Ada installed or updated the module blog.')
  assert.equal(event('module_installed', { module: '{target}' }), 'Ada installed or updated the module target.')
  assert.equal(event('role_changed', { from: 'admin' }), 'Ada changed the role of Ada.')
  assert.equal(event('role_changed', { from: 'admin', to: 'vip' }), 'Ada changed the role of Ada from Admin to vip.')
})

test('every event has a label in every language, and appears once in the filter', () => {
  const core = Object.values(coreEventGroups).flat()
  assert.equal(new Set<string>(core).size, core.length)
  for (const lang of ['en', 'es']) {
    const [, ...groups] = eventChoices(lang, { events: auditEvents, chosen: undefined }, moduleParts)
    const choices = groups.flatMap((group) => group.choices)
    assert.deepEqual(choices.map(({ value }) => value).toSorted(), auditEvents.toSorted())
    for (const { value, label } of choices) assert.match(label, /^[^a-z{}…_][^{}…_]+$/, value)
    for (const { label, choices } of groups) {
      const labels = choices.map((choice) => choice.label)
      assert.deepEqual(
        labels,
        labels.toSorted((one, other) => one.localeCompare(other, lang)),
      )
      assert.notEqual(label, adminTextsFor(lang).audit.groups.other)
    }
  }
})

test('the filter groups the events and omits events of modules that are not installed', async () => {
  const page = await open()
  const [, signIn = ''] = page.match(/<optgroup label="Sign-in and sessions">([\s\S]*?)<\/optgroup>/) ?? []
  assert.match(signIn, /<option value="login_fail">A sign-in as a user failed<\/option>/)
  const core = new Set<string>(Object.values(coreEventGroups).flat())
  const absent = auditEvents.find((event) => !core.has(event)) ?? ''
  assert.ok(!page.includes(`<option value="${absent}"`))
  assert.ok((await open({ event: absent })).includes(`<option value="${absent}" selected>`))
})

test('a sentence names the superadmin who acted as a person', async () => {
  const bob = await registered(app, 'ada', { name: 'Bob' })
  const path = `/auth/admin/users/${bob.id}/impersonate`
  const started = await app.post(path, { reason: 'to help' }, withSession(admin.sessionToken))
  assert.equal(started.status, 200, started.text)
  const asBob = withSession(started.json.sessionId)
  assert.equal((await app.call('PUT', '/auth/profile', { ...asBob, body: { name: 'Rob' } })).status, 403)
  await app.post('/auth/impersonation/stop', {}, asBob)
  const denied = textOf(await open({ event: 'authz_denied', person: bob.id }))
  assert.match(denied, new RegExp(`${admin.email}\\s+\\(acting as\\s+Bob\\s*\\)\\s+was refused an action`))
  const ended = textOf(await open({ event: 'impersonation_ended' }))
  assert.match(ended, new RegExp(`${admin.email}\\s+stopped acting as\\s+Bob`))
})

const moduleParts = shippedModules.flatMap(({ pages }) => pages?.console ?? [])

const shownEvent: ShownAuditEvent = {
  id: '1',
  time: '2026-01-01T00:00:00.000Z',
  event: '',
  outcome: 'success',
  actor_id: '1',
  actor_role: null,
  actor_label: 'Ada',
  target_id: '1',
  target_label: 'Ada',
  impersonator_id: null,
  impersonator_label: null,
  method: null,
  ip: null,
  user_agent: null,
  request_id: null,
  details: {},
}

test('a person is found by email address, user name or id, and on either side of an event', async () => {
  for (const person of [ada.email, ada.user_name, ada.id])
    assert.match(textOf(await open({ person, event: 'login_fail' })), /A sign-in as\s+Ada Lovelace\s+failed/)
  assert.match(textOf(await open({ target: ada.email, event: 'role_changed' })), /changed the role/)
  assert.match(textOf(await open({ actor: ada.email, event: 'role_changed' })), /No event matches/)
})

test('outcome and time narrow the list, and the form shows the search', async () => {
  const failed = await open({ person: ada.id, outcome: 'failure', from: iso(app.clock.now() - day).slice(0, 16) })
  assert.match(textOf(failed), /A sign-in as\s+Ada Lovelace\s+failed/)
  assert.doesNotMatch(textOf(failed), /Ada Lovelace\s+registered\./)
  assert.match(failed, /<option value="failure" selected>/)
  assert.match(textOf(await open({ to: '2000-01-01T00:00' })), /No event matches/)
})

test('a filter that names nobody or is not valid shows no event', async () => {
  const wrong: Record<string, string>[] = [
    { person: 'nobody@example.org' },
    { event: 'nothing' },
    { from: 'yesterday' },
  ]
  for (const query of wrong) assert.match(textOf(await open(query)), /A filter isn’t valid/)
})

test('the page of a person leads to the events of that person', async () => {
  const { text } = await admin.open(`/admin/people/${ada.id}`)
  for (const name of ['person', 'actor', 'target']) assert.ok(text.includes(`href="/admin/audit?${name}=${ada.id}"`))
})

test('the export page leads to the file of the search, for admins only', async () => {
  const { text } = await admin.open(`/admin/audit/export?target=${ada.id}&event=role_changed`)
  assert.match(textOf(text), /will contain 1 event/)
  const [, address = ''] = text.match(/href="(\/auth\/admin\/audit\/export\?[^"]*format=csv)"/) ?? []
  const file = await admin.open(address.replaceAll('&amp;', '&'))
  assert.equal(file.headers['content-type'], 'text/csv; charset=utf-8')
  assert.ok(file.text.includes(ada.id))
  const support = await staffOf(app, 'support')
  assert.doesNotMatch(await open({}, support), /\/admin\/audit\/export/)
  assert.equal((await support.open('/admin/audit/export')).status, 403)
})

test('the export page asks for recent authentication first', async () => {
  const late = await staffOf(app, 'admin')
  app.clock.advance(app.ctx.config.REAUTH_WINDOW)
  const asked = await late.open('/admin/audit/export?event=login_fail')
  assert.equal(asked.headers.location, '/account/confirm?next=%2Fadmin%2Faudit%2Fexport%3Fevent%3Dlogin_fail')
})

test('an admin sees no event of a superadmin, and everybody else sees no page', async () => {
  const other = await staffOf(app, 'admin')
  assert.match(textOf(await open({ event: 'role_changed' }, other)), /No event matches/)
  const customer = await staffOf(app, 'customer')
  assert.equal((await customer.open('/admin/audit')).status, 403)
})

test('the page says whether the seals match', async () => {
  assert.match(textOf(await open()), /Not sealed yet/)
  assert.match(textOf(await open()), /The oldest unsealed event/)
})
