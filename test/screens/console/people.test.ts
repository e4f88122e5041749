import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { SignedIn } from '../../support/people.ts'
import { registered, withSession } from '../../support/people.ts'
import { auditOf } from '../../support/rows.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { withTotp } from '../../two-factor/support.ts'
import { textOf } from '../all-pages.ts'
import { linkIn, type Visitor, visitor } from '../support.ts'
import { staffOf } from './support.ts'

let app: TestApp
let admin: SignedIn & Visitor
before(async () => {
  app = await startTestApp({
    modules: ['two-factor', 'privacy'],
    env: { RATE_LIMIT_LOGIN: '1000/15m', RATE_LIMIT_ADMIN: '100000/1h', RATE_LIMIT_BULK: '1000/1h' },
  })
  admin = await staffOf(app, 'superadmin')
})
after(() => app.stop())

const pageOf = (who: { id: string }, rest = '') => `/admin/people/${who.id}${rest}`

/** Opens an action's page, submits its form, and returns the next page. */
async function act(who: SignedIn, action: string, fields: Record<string, string> = {}) {
  await admin.open(pageOf(who, `/${action}`))
  const reply = await admin.send(pageOf(who, `/${action}`), fields)
  assert.equal(reply.status, 303, textOf(reply.text))
  return admin.open(String(reply.headers.location))
}

test('a search finds people by words and filters, and each row leads to the person', async () => {
  const ada = await registered(app, 'ada', { name: 'Rosalind', last_name: 'Franklin' })
  const found = await admin.open('/admin/people?q=rosalind')
  assert.match(found.text, new RegExp(`href="${pageOf(ada)}"`))
  assert.match(textOf(found.text), /1–1 of 1/)
  assert.match(textOf((await admin.open('/admin/people?q=rosalind&blocked=true')).text), /Nobody matches/)
  assert.match((await admin.open('/admin/people?q=rosalind&second_factor=false')).text, new RegExp(ada.id))
  assert.match(textOf((await admin.open('/admin/people?created_from=2999-01-01')).text), /Nobody matches/)
  const reversed = await admin.open('/admin/people?created_from=2026-02-02&created_to=2026-01-01')
  assert.match(textOf(reversed.text), /A filter isn’t valid/)
  assert.match(reversed.text, /<details class="filters" open>/, 'the form with the fault is visible')
})

test('a person is blocked, and unblocked with the button that follows', async () => {
  const ada = await registered(app)
  const asks = await admin.open(pageOf(ada, '/block'))
  assert.match(textOf(asks.text), /All sessions end, and every sign-in and password reset is refused/)
  const blocked = await act(ada, 'block', { reason: 'spam & more', days: '7' })
  assert.match(textOf(blocked.text), /is blocked and signed out/)
  assert.match(textOf(blocked.text), /Reason: spam & more/)
  assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).status, 401)
  assert.match(textOf(blocked.text), /blocked .*Reason: spam & more/s, 'the activity gives the reason')
  const undone = await admin.send(pageOf(ada, '/unblock'))
  const page = await admin.open(String(undone.headers.location))
  assert.match(textOf(page.text), /can sign in again/)
  assert.equal((await app.post('/auth/login', ada)).status, 200)
})

test('an edit that would overwrite the change of somebody else is refused', async () => {
  const ada = await registered(app)
  await admin.open(pageOf(ada, '/edit'))
  app.clock.advance(1_000)
  const other = await staffOf(app, 'admin')
  await other.open(pageOf(ada, '/edit'))
  await other.send(pageOf(ada, '/edit'), {
    name: 'First',
    last_name: '',
    user_name: ada.user_name,
    phone: '',
    title: '',
  })
  const late = await admin.send(pageOf(ada, '/edit'), { name: 'Second', user_name: ada.user_name })
  assert.equal(late.status, 409)
  assert.match(textOf(late.text), /Somebody else changed this user/)
  assert.match(late.text, /value="First"/)
})

test('an email address that changed after the page was opened is not marked as verified', async () => {
  const ada = await registered(app)
  await admin.open(pageOf(ada, '/verify'))
  app.clock.advance(1_000)
  await sql`UPDATE users SET email = ${`new.${ada.email}`}, updated_at = ${new Date(app.clock.now())}
    WHERE id = ${ada.id}`.execute(app.ctx.db)
  const late = await admin.send(pageOf(ada, '/verify'))
  assert.equal(late.status, 409)
  assert.match(late.text, /new\./)
  await act(ada, 'verify')
  assert.equal(
    (await app.get(`/auth/users/${ada.id}`, withSession(admin.sessionToken))).json.data.user.is_verified,
    true,
  )
})

test('roles, sessions, factors, deletion and restoration work without a script', async () => {
  const ada = await withTotp(app)
  assert.match(textOf((await admin.open(pageOf(ada))).text), /Authenticator app/)
  assert.match(textOf((await act(ada, 'reset-factors')).text), /All second factors of .* were removed/)
  assert.equal((await app.post('/auth/login', ada)).json.requires_2fa, false)
  assert.match(textOf((await act(ada, 'end-sessions')).text), /All sessions were ended/)
  assert.match(textOf((await act(ada, 'role', { user_type: 'writer' })).text), /Writer/)
  const deleted = await act(ada, 'delete')
  assert.match(textOf(deleted.text), /was deleted/)
  assert.match(textOf(deleted.text), /can be restored/)
  assert.match(deleted.text, new RegExp(`<form id="undo" hidden method="post" action="${pageOf(ada, '/restore')}">`))
  const list = (await admin.open(`/admin/people?deleted=true&q=${ada.email}`)).text
  assert.match(list, new RegExp(pageOf(ada)))
  assert.match(textOf(list), /Deleted \S+ \d+, \d{4}, erased after \S+ \d+, \d{4}/)
  assert.match(textOf((await act(ada, 'restore')).text), /was restored/)
  const { text } = await admin.open(pageOf(ada))
  assert.match(textOf(text), /restored/)
})

test('a changed role is named and can be undone, but only from the role that the audit trail records', async () => {
  const ada = await registered(app, 'ada', { name: 'Rosalind' })
  const undoOf = (text: string) => /<form id="undo"[^>]*>(.*?)<\/form>/.exec(text)?.[1] ?? ''
  const changed = await act(ada, 'role', { user_type: 'writer' })
  assert.match(textOf(changed.text), /Rosalind now has the role Writer\. Any open sessions were ended\.\s*Undo/)
  assert.match(undoOf(changed.text), /name="user_type" value="customer"/)
  const other = await staffOf(app, 'superadmin')
  assert.equal(undoOf((await other.open(pageOf(ada, '?done=role'))).text), '', 'the change of somebody else')
  const forged = await admin.open(pageOf(ada, '?done=role&user_type=superadmin'))
  assert.doesNotMatch(undoOf(forged.text), /superadmin/)
  const updated = /name="updated_at" value="([^"]+)"/.exec(undoOf(changed.text))?.[1] ?? ''
  const undone = await admin.send(pageOf(ada, '/role'), { user_type: 'customer', updated_at: updated })
  assert.match(textOf((await admin.open(String(undone.headers.location))).text), /now has the role Customer/)
})

test('the role of an administrator is given only after a question that names the person, the role and its rights', async () => {
  const ada = await registered(app, 'ada', { name: 'Rosalind' })
  const roleOf = async () =>
    (await app.get(`/auth/admin/users/${ada.id}`, withSession(admin.sessionToken))).json.data.user.user_type
  await admin.open(pageOf(ada, '/role'))
  const asks = await admin.send(pageOf(ada, '/role'), { user_type: 'superadmin' })
  assert.equal(asks.status, 200)
  assert.match(textOf(asks.text), /Give Rosalind the role Superadmin\?/)
  assert.match(textOf(asks.text), /Rosalind gets these rights: Manages everyone, including admins/)
  assert.doesNotMatch(asks.text, /<select/)
  assert.equal(await roleOf(), 'customer')
  const given = await admin.send(pageOf(ada, '/role'))
  assert.match(textOf((await admin.open(String(given.headers.location))).text), /now has the role Superadmin/)
  assert.equal(await roleOf(), 'superadmin')
})

test('one session of several is ended', async () => {
  const ada = await registered(app)
  const page = await admin.open(pageOf(ada))
  const session = /name="session" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const ended = await admin.send(pageOf(ada, '/end-session'), { session })
  assert.match(textOf((await admin.open(String(ended.headers.location))).text), /The session was ended/)
  assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).status, 401)
})

test('people are created with an invitation, and a refused form marks the field', async () => {
  await admin.open('/admin/people/new')
  const wrong = await admin.send('/admin/people/new', { email: 'not an address', user_type: 'customer' })
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /aria-describedby="email-problem"/)
  await admin.open('/admin/people/new')
  const made = await admin.send('/admin/people/new', { email: 'barbara@example.com', user_type: 'customer' })
  const page = await admin.open(String(made.headers.location))
  assert.match(textOf(page.text), /invitation is sent to barbara@example.com. The link works for 24 hours/)
  assert.match(page.text, /<span class="chip warn">Invited<\/span>/)
  assert.match(textOf(page.text), /hasn’t accepted the invitation yet/)
  await app.mailTo('barbara@example.com')

  assert.match(page.text, /<header class="head">[\s\S]*\/invite-again"[\s\S]*<\/header>/, 'the first action')
  assert.doesNotMatch(page.text, /\/(send-(reset|sign-in-link|verification)|change-email)"/)
  assert.match(textOf(page.text), /invited\s+barbara@example.com\s*\./)
  const action = `${String(made.headers.location).split('?')[0]}/invite-again`
  assert.match(
    textOf((await admin.open(action)).text),
    /emails the user a new invitation\. Its link works for 24 hours/,
  )
  const again = await admin.send(action)
  assert.match(
    textOf((await admin.open(String(again.headers.location))).text),
    /new invitation was accepted for delivery/,
  )
  const browser = visitor(app)
  await browser.open(linkIn(await app.mailTo('barbara@example.com', 1)))
  assert.match(textOf((await browser.open('/reset-password')).text), /Welcome to Wardenry/)
})

test('an invitation to an address that is registered leads to that person, deleted or not', async () => {
  const ada = await registered(app)
  for (const state of ['living', 'deleted']) {
    if (state === 'deleted') await act(ada, 'delete')
    await admin.open('/admin/people/new')
    const { text } = await admin.send('/admin/people/new', {
      email: ` ${ada.email.toUpperCase()}`,
      user_type: 'customer',
    })
    assert.match(textOf(text), /already registered/, state)
    assert.match(text, new RegExp(`role="alert">[^<]*<a href="${pageOf(ada)}">`), state)
  }
})

test('administrators are not offered on their own page what the API refuses', async () => {
  const { text } = await admin.open(pageOf(admin))
  assert.match(textOf(text), /This is your own account/)
  assert.doesNotMatch(text, /\/(role|block|delete)"/)
  assert.match(text, /\/edit"/)
  assert.doesNotMatch(text, /\/send-reset"/)
  assert.doesNotMatch(textOf((await admin.open(pageOf(await registered(app)))).text), /your own account/)
})

test('administrators are offered nothing for a superadmin', async () => {
  const other = await staffOf(app, 'admin')
  const { text } = await other.open(pageOf(admin))
  assert.doesNotMatch(text, new RegExp(`"${pageOf(admin)}/`))
  assert.equal((await other.open(pageOf(admin, '/edit'))).status, 403)
  assert.equal((await other.open(pageOf(admin, '/reset-factors'))).status, 403)
  const list = await other.open(`/admin/people?q=${encodeURIComponent(admin.email)}`)
  assert.match(list.text, new RegExp(`href="${pageOf(admin)}"`))
  assert.doesNotMatch(list.text, new RegExp(`value="${admin.id}"`))
  const own = await admin.open(`/admin/people?q=${encodeURIComponent(other.email)}`)
  assert.match(own.text, new RegExp(`value="${other.id}"`))
  const ada = await registered(app)
  assert.doesNotMatch((await other.open(pageOf(ada, '/role'))).text, /value="superadmin"/)
  assert.doesNotMatch((await other.open('/admin/people/new')).text, /value="superadmin"/)
})

test('a change to the same email address is refused with a reason', async () => {
  const ada = await registered(app)
  await admin.open(pageOf(ada, '/change-email'))
  const refused = await admin.send(pageOf(ada, '/change-email'), { new_email: ada.email })
  assert.match(textOf(refused.text), /differs from the current one/)
})

test('the form for a person says what happens next, selects the role of the link, and can set a password', async () => {
  const form = await admin.open('/admin/people/new?role=admin')
  assert.match(textOf(form.text), /emails the user a link to choose a password. The link works for 24 hours/)
  assert.match(form.text, /<option value="admin" selected>/)
  const person = { email: 'dorothy@example.com', user_type: 'customer', way: 'password' }
  const wrong = await admin.send('/admin/people/new', { ...person, password: 'short' })
  assert.match(wrong.text, /<details class="filters" open>/)
  assert.match(wrong.text, /aria-describedby="password-problem"/)
  await admin.open('/admin/people/new')
  const made = await admin.send('/admin/people/new', { ...person, password: 'seven quiet river stones' })
  assert.match(String(made.headers.location), /done=created$/)
  assert.equal((await app.post('/auth/login', { ...person, password: 'seven quiet river stones' })).status, 200)
})

test('selected people are changed at once, and failures are listed', async () => {
  const ada = await registered(app)
  const list = await admin.open(`/admin/people?q=${encodeURIComponent(ada.email)}`)
  const field = /name="(pick\d+)" value="/.exec(list.text)?.[1] ?? ''
  const asks = await admin.send('/admin/bulk/people', { action: 'block', [field]: ada.id })
  assert.match(textOf(asks.text), /Block 1 user/)
  assert.ok(textOf(asks.text).includes(ada.email), 'the page names everyone whom it will change')
  const done = await admin.send('/admin/bulk/people/confirm', { reason: 'spam' })
  assert.match(textOf(done.text), /Blocked 1 user\./)
  assert.ok(textOf(done.text).includes(ada.email), 'the result names everyone who was changed')
  const undone = await admin.send('/admin/bulk/people/confirm')
  assert.equal(undone.headers.location, '/admin/people?done=unblock&count=1')
  assert.match(textOf((await admin.open('/admin/people?done=unblock&count=1')).text), /Unblocked 1 user\./)
  assert.equal((await app.post('/auth/login', ada)).status, 200)

  const other = await staffOf(app, 'admin')
  await other.open('/admin/people')
  const confirm = await other.send('/admin/bulk/people', { action: 'delete', pick0: admin.id, pick1: other.id })
  assert.match(textOf(confirm.text), /Delete 1 user/, 'administrators are not among those whom they delete')
  assert.match(textOf(confirm.text), /You were left out/)
  assert.match(textOf(confirm.text), /restore them within 30 days/)
  const refused = await other.send('/admin/bulk/people/confirm')
  const text = textOf(refused.text)
  assert.match(text, /1 user couldn’t be changed/)
  assert.ok(text.includes(admin.email) && !text.includes(admin.id), 'the page names the person')
})

test('the role of several people changes only after a choice, which the page explains', async () => {
  const ada = await registered(app)
  await admin.open('/admin/people')
  const asks = await admin.send('/admin/bulk/people', { action: 'set_role', pick0: ada.id })
  assert.match(asks.text, /<select id="user_type" name="user_type" required>\s*<option value="" selected>Choose a role/)
  assert.match(textOf(asks.text), /Only superadmins can change superadmins/)
  const empty = await admin.send('/admin/bulk/people/confirm', { user_type: '' })
  assert.equal(empty.status, 400)
  assert.match(empty.text, /aria-describedby="user_type-problem"/)
  const done = await admin.send('/admin/bulk/people/confirm', { user_type: 'writer' })
  assert.equal(done.headers.location, '/admin/people?done=set_role&count=1')
  assert.match(textOf((await admin.open(String(done.headers.location))).text), /Changed the role of 1 user\./)
})

test('the filters that are set are listed, and each or all can be removed', async () => {
  const { text } = await admin.open('/admin/people?q=ada&verified=false&role=writer&created_from=2026-01-01&page=2')
  for (const shown of [/Role: Writer/, /Email address: Not verified/, /Created from: 2026-01-01/])
    assert.match(textOf(text), shown)
  assert.ok(text.includes('href="/admin/people?q=ada&amp;verified=false&amp;created_from=2026-01-01"'))
  assert.match(text, /href="\/admin\/people\?q=ada">Clear all filters/)
  assert.doesNotMatch(textOf((await admin.open('/admin/people?q=ada')).text), /Remove the filter/)
})

test('a long email address breaks after the at sign and the dots', async () => {
  const ada = await registered(app)
  const parts = ada.email.split(/(?<=[@.])/).join('<wbr>')
  for (const path of [pageOf(ada), `/admin/people?q=${encodeURIComponent(ada.email)}`])
    assert.ok((await admin.open(path)).text.includes(parts), path)
})

test('the bulk form asks for an action and for people', async () => {
  const list = await admin.open('/admin/people')
  assert.match(list.text, /<select id="action" name="action" required>\s*<option value="">Choose an action<\/option>/)
  const ada = await registered(app)
  for (const [form, location, text] of [
    [{ action: 'block', pick0: admin.id }, '/admin/people?done=only-self', /can’t do this to your own account/],
    [{ action: '', pick0: ada.id }, '/admin/people?done=no-action', /Choose an action for the selected users/],
    [{ action: 'block' }, '/admin/people?done=nobody', /Select at least one user/],
  ] as const) {
    await admin.open('/admin/people')
    const answer = await admin.send('/admin/bulk/people', form)
    assert.equal(answer.headers.location, location)
    assert.match(textOf((await admin.open(location)).text), text)
  }
})

test('the role form offers only other roles and requires a choice, so a hasty click ends no sessions', async () => {
  const ada = await registered(app)
  const { text } = await admin.open(pageOf(ada, '/role'))
  assert.match(text, /<select id="user_type" name="user_type" required>\s*<option value="" selected>Choose a role/)
  assert.doesNotMatch(text, /<option value="customer"/)
  assert.match(text, /<option value="writer"/)
  const empty = await admin.send(pageOf(ada, '/role'), { user_type: '' })
  assert.equal(empty.status, 400)
  assert.match(empty.text, /aria-describedby="user_type-problem"/)
  assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).status, 200)
})

test('the page for deleting a person says how long the account can be restored', async () => {
  const ada = await registered(app)
  assert.match(textOf((await admin.open(pageOf(ada, '/delete'))).text), /restore the account within 30 days/)
})

test('a superadmin acts as a person after giving a reason, and a banner ends it', async () => {
  const ada = await registered(app)
  assert.match((await admin.open(pageOf(ada))).text, new RegExp(`href="${pageOf(ada, '/impersonate')}"`))
  assert.match(textOf((await admin.open(pageOf(ada, '/impersonate'))).text), /for at most 15 minutes/)
  const without = await admin.send(pageOf(ada, '/impersonate'), { reason: ' ' })
  assert.equal(without.status, 400)
  const root = await staffOf(app, 'superadmin')
  await root.open(pageOf(ada, '/impersonate'))
  const started = await root.send(pageOf(ada, '/impersonate'), { reason: 'An empty page' })
  assert.equal(started.headers.location, '/account')
  const account = await root.open('/account')
  assert.ok(textOf(account.text).includes(`You’re acting as ${ada.email}.`))
  assert.match(textOf(account.text), new RegExp(ada.email))
  assert.equal((await root.open('/admin')).status, 403)
  await root.open('/account')
  assert.equal((await root.send('/impersonation/stop')).headers.location, pageOf(ada))
  assert.match(textOf((await root.open('/account')).text), new RegExp(root.email))
  assert.match(textOf((await root.open(pageOf(ada))).text), /started to act as/)
})

test('only superadmins are offered to act as a person, and never as staff or a blocked person', async () => {
  const ada = await registered(app)
  const other = await staffOf(app, 'admin')
  assert.doesNotMatch((await other.open(pageOf(ada))).text, /\/impersonate"/)
  assert.equal((await other.open(pageOf(ada, '/impersonate'))).status, 403)
  assert.doesNotMatch((await admin.open(pageOf(other))).text, /\/impersonate"/)
  await act(ada, 'block', { reason: 'spam', days: '' })
  assert.doesNotMatch((await admin.open(pageOf(ada))).text, /\/impersonate"/)
})

test('a person gets their data by email', async () => {
  const ada = await registered(app)
  assert.match(textOf((await act(ada, 'send-data')).text), /The link is then sent to this user/)
})

test('a bulk form that no page of the service created changes nobody', async () => {
  const ada = await registered(app)
  await admin.open('/admin/people')
  await admin.send('/admin/bulk/people', { action: 'block', pick0: ada.id })
  const forged = await admin.send('/admin/bulk/people/confirm', { reason: 'spam', form_token: 'forged' })
  assert.equal(forged.status, 400)
  assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).status, 200)
})

test('support agents see people but no action, and their forms are refused', async () => {
  const ada = await registered(app)
  const agent = await staffOf(app, 'support')
  const page = await agent.open(pageOf(ada))
  assert.equal(page.status, 200)
  assert.doesNotMatch(page.text, /\/block"/)
  assert.doesNotMatch((await agent.open('/admin/people')).text, /admin\/people\/new|pick0/)
  assert.equal((await agent.open('/admin/people/new')).status, 403)
  for (const action of ['edit', 'block', 'impersonate', 'send-data'])
    assert.equal((await agent.open(pageOf(ada, `/${action}`))).status, 403, action)
  assert.equal((await agent.open('/admin/people/export')).status, 403)
})

test('a form opened before the role was lost is refused', async () => {
  const ada = await registered(app)
  const agent = await staffOf(app, 'admin')
  await agent.open(pageOf(ada, '/block'))
  await sql`UPDATE users SET user_type = 'support' WHERE id = ${agent.id}`.execute(app.ctx.db)
  const refused = await agent.send(pageOf(ada, '/block'), { reason: 'spam' })
  assert.equal(refused.status, 403)
  assert.match(textOf(refused.text), /Your role doesn’t allow this/)
})

test('a form of another site changes nothing', async () => {
  const ada = await registered(app)
  await admin.open(pageOf(ada, '/delete'))
  const forged = await admin.send(
    pageOf(ada, '/delete'),
    {},
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil' },
  )
  assert.equal(forged.status, 403)
  assert.doesNotMatch(forged.text, /action="\/admin\/people/)
  const unsigned = await admin.send(pageOf(ada, '/delete'), { form_token: 'x' })
  assert.equal(unsigned.status, 400)
  assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).status, 200)
  assert.equal((await auditOf(app, 'user_deleted')).filter(({ target_id: id }) => id === ada.id).length, 0)
  await admin.open(pageOf(ada, '/role'))
  const question = await admin.send(pageOf(ada, '/role'), { user_type: 'superadmin', form_token: 'x' })
  assert.doesNotMatch(textOf(question.text), /Give .* the role Superadmin/)
})

test('unknown people and actions get an error page', async () => {
  const unknown = { id: '019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90' }
  assert.equal((await admin.open(pageOf(unknown))).status, 404)
  assert.equal((await admin.open('/admin/people/nobody')).status, 404)
  assert.equal((await admin.open(pageOf(admin, '/no-such-action'))).status, 404)
})

test('an export asks for recent authentication first', async () => {
  const late = await staffOf(app, 'admin')
  assert.match((await late.open('/admin/people/export?q=ada')).text, /\/auth\/users\/export\?q=ada&amp;format=csv/)
  app.clock.advance(app.ctx.config.REAUTH_WINDOW)
  const asked = await late.open('/admin/people/export?q=ada')
  assert.equal(asked.headers.location, '/account/confirm?next=%2Fadmin%2Fpeople%2Fexport%3Fq%3Dada')
})
