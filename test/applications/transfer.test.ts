import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { operator } from '../../src/admin/principal.ts'
import { applyApplications, exportApplications, planApplications } from '../../src/applications/transfer/apply.ts'
import { signedInAs } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { type Superadmin, superadminOf } from './support.ts'

let app: TestApp
let superadmin: Superadmin
before(async () => {
  app = await startTestApp({ env: { APPLICATIONS_MAX: '8' } })
  superadmin = await superadminOf(app)
})
after(() => app.stop())

const textOf = (...applications: object[]) => JSON.stringify({ version: 1, applications })
const plan = (text: string, prune = false) => planApplications(app.ctx, { text, prune })
const apply = (text: string, prune = false) => applyApplications(app.ctx, { principal: operator }, { text, prune })
const actionsOf = (steps: Awaited<ReturnType<typeof plan>>) => steps.map(({ key, action }) => `${key} ${action}`)

/** Everything that a rejected file, or a file without changes, must not change. */
async function stateOf() {
  const { rows } = await sql`SELECT version, (SELECT count(*)::int FROM audit_events) AS events,
    (SELECT count(*)::int FROM outbox) AS mails FROM application_version`.execute(app.ctx.db)
  return { rows, applications: (await superadmin.call('GET')).json.data.applications }
}

const installationLook = { accent: null, logo: null, terms_url: null, privacy_url: null, sign_out_url: null }

const a = {
  key: 'aa',
  name: 'A',
  kind: 'website',
  return_addresses: ['https://a.example.com'],
  note: 'first',
  registration: false,
  sign_in_methods: ['password'],
}
const b = { key: 'bb', name: 'B', kind: 'mobile', return_addresses: ['bapp://'], origins: ['https://b.example.com'] }

test('a set is planned, applied and exported, and applying it again changes nothing', async () => {
  const { email } = await signedInAs(app, 'superadmin')
  const text = textOf(a, { ...b, enabled: false })
  assert.deepEqual(actionsOf(await plan(text)), ['aa create', 'bb create'])
  assert.deepEqual((await stateOf()).applications, [])
  await apply(text)
  const mail = await app.mailTo(email, 1)
  assert.match(
    mail.text.replaceAll('\u2060', ''),
    /A, B[\s\S]*https:\/\/a\.example\.com, bapp:\/\/, https:\/\/b\.example\.com/,
  )
  assert.equal((await auditOf(app, 'application_created')).length, 2)
  assert.deepEqual(
    (await auditOf(app, 'application_disabled')).map(({ details }) => details.key),
    ['bb'],
  )

  const state = await stateOf()
  assert.deepEqual(actionsOf(await apply(text)), ['aa keep', 'bb keep'])
  const exported = await exportApplications(app.ctx)
  assert.deepEqual(actionsOf(await apply(JSON.stringify(exported))), ['aa keep', 'bb keep'])
  assert.deepEqual(await stateOf(), state)
  const [first, second] = exported.applications
  const gateway = { gateway_accept: [], gateway_scope: [], gateway_permission: null, gateway_resource: null }
  const unset = { home_url: null, development: false, accepts: [], ...gateway, ...installationLook }
  assert.deepEqual(first, { ...a, ...unset, origins: [], enabled: true })
  const rules = { registration: true, sign_in_methods: [] }
  assert.deepEqual(second, { ...b, ...unset, ...rules, enabled: false, note: '' })
})

test('applications exchange addresses, and members that are missing stay', async () => {
  const exchanged = textOf(
    { key: 'aa', name: 'A', kind: 'gateway', return_addresses: ['bapp://'] },
    { key: 'bb', name: 'B', kind: 'mobile', return_addresses: ['https://a.example.com'], enabled: true },
  )
  const steps = await plan(exchanged)
  assert.deepEqual(actionsOf(steps), ['aa change', 'bb change'])
  assert.deepEqual(steps[0]?.changes, { kind: { from: 'website', to: 'gateway' } })
  assert.deepEqual(steps[0]?.added, [{ kind: 'return', address: 'bapp://' }])
  assert.deepEqual(steps[0]?.removed, [{ kind: 'return', address: 'https://a.example.com' }])
  assert.deepEqual(steps[1]?.changes, { enabled: { from: false, to: true } })
  await apply(exchanged)
  const [first, second] = (await stateOf()).applications
  assert.deepEqual([first.return_addresses, first.note, first.kind], [['bapp://'], 'first', 'gateway'])
  assert.deepEqual(
    [second.return_addresses, second.origins, second.enabled],
    [['https://a.example.com'], b.origins, true],
  )
  assert.notEqual((await app.get('/login', { query: { return_to: 'https://a.example.com/x' } })).status, 400)
})

test('only --prune disables applications that the file does not contain', async () => {
  const text = textOf({ key: 'aa', name: 'A', kind: 'gateway' })
  assert.deepEqual(actionsOf(await apply(text)), ['aa keep', 'bb keep'])
  assert.deepEqual(actionsOf(await plan(text, true)), ['aa keep', 'bb disable'])
  assert.deepEqual(actionsOf(await apply(text, true)), ['aa keep', 'bb disable'])
  assert.deepEqual(actionsOf(await apply(text, true)), ['aa keep', 'bb keep'])
  assert.equal((await stateOf()).applications[1].enabled, false)
})

test('a file with any problem is rejected with the names of all of them, and nothing is written', async () => {
  const { id } = await superadmin.create('gone', { return_addresses: ['https://gone.example.com'] })
  await superadmin.call('DELETE', `/${id}`)
  const fresh = { key: 'fresh', name: 'Fresh', kind: 'website' }
  const rejections: [text: string, field: string, message: RegExp][] = [
    ['{', 'file', /not valid JSON/],
    ['[]', 'body', /object/],
    [JSON.stringify({ version: 2, applications: [] }), 'version', /must be 1/],
    [JSON.stringify({ version: 1, applications: [], secrets: [] }), 'secrets', /not known/],
    [textOf({ ...fresh, secret: 'x' }), 'applications.0.secret', /not known: allowed are key, name/],
    [textOf({ ...fresh, name: 1 }), 'applications.0.name', /string/],
    [textOf({ ...fresh, kind: 'desktop' }), 'applications.0.kind', /one of/],
    [textOf({ key: 'fresh', kind: 'website' }), 'applications.0.name', /required/],
    [textOf({ ...fresh, key: 'Fresh' }), 'Fresh.key', /lowercase/],
    [textOf({ ...fresh, return_addresses: ['https://*.example.com'] }), 'fresh.return_addresses', /wildcards/],
    [textOf({ ...fresh, origins: ['http://localhost'] }), 'fresh.origins', /development/],
    [textOf(fresh, fresh), 'fresh.key', /more than once/],
    [textOf({ ...fresh, sign_in_methods: ['pigeon'] }), 'fresh.sign_in_methods', /must contain only password/],
    [textOf({ ...fresh, sign_in_methods: ['github'] }), 'fresh.sign_in_methods', /that the settings allow/],
    [textOf({ ...fresh, origins: b.origins }), 'fresh.origins', /belongs to the application bb$/],
    [
      textOf({ ...fresh, return_addresses: ['https://gone.example.com'] }),
      'fresh.return_addresses',
      /deleted application gone/,
    ],
    [
      textOf(
        { ...fresh, origins: ['https://x.example.com'] },
        { ...fresh, key: 'other', origins: ['https://x.example.com'] },
      ),
      'other.origins',
      /application fresh/,
    ],
    [textOf({ ...fresh, key: 'gone' }), 'gone.key', /deleted application/],
    [
      textOf(...Array.from({ length: 6 }, (_, n) => ({ ...fresh, key: `fresh${n}` }))),
      'applications',
      /APPLICATIONS_MAX allows 8/,
    ],
  ]
  const state = await stateOf()
  for (const [text, field, message] of rejections) {
    for (const attempt of [plan, apply]) {
      await assert.rejects(attempt(text), ({ details }: { details?: { field: string; message: string }[] }) => {
        const found = details?.find((one) => one.field === field)
        assert.match(found?.message ?? JSON.stringify(details), message, text)
        return true
      })
    }
  }
  const valid = { key: 'valid', name: 'Valid', kind: 'website' }
  await assert.rejects(apply(textOf(valid, { ...fresh, origins: b.origins })))
  assert.deepEqual(await stateOf(), state)
})
