import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { planImport, runImport } from '../../src/import/import-users.ts'
import { csv as source } from '../../src/import/sources/own-formats.ts'
import { hour } from '../../src/lib/time.ts'
import { declaringApplication } from '../roles/support.ts'
import { signedInAs, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { exported, fileWith, importOf as importWithout, linesOf, recordsOf } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
  await declaringApplication(app, 'billing', {
    permissions: ['invoices:read', { key: 'invoices:pay', sensitive: true }],
    roles: { reader: ['invoices:read'], payer: ['invoices:pay'] },
  })
})
after(() => app.stop())

const importOf = (path: string, more: Parameters<typeof importWithout>[1] = {}) =>
  importWithout(path, { allowSensitiveRoles: true, ...more })
const at = (distance: number) => new Date(app.clock.now() + distance).toISOString()

async function rolesOf(email: string) {
  const [record] = recordsOf(await exported(app.ctx)).filter((one) => one.email === email)
  return record?.roles
}

test('an import grants application roles, which are planned, audited and exported', async (t) => {
  const until = at(hour)
  const records = [
    { email: 'ann@example.com', roles: ['billing:reader', { role: 'billing:payer', until }] },
    { email: 'bea@example.com', roles: ['billing:reader'] },
    { email: 'cas@example.com' },
  ]
  const path = await fileWith(t, linesOf(records))
  const plan = await planImport(app.ctx, importOf(path))
  assert.deepEqual(Object.fromEntries(plan.applicationRoles), { 'billing:reader': 2, 'billing:payer': 1 })
  assert.equal((await auditOf(app, 'roles_granted')).length, 0)
  assert.deepEqual((await runImport(app.ctx, importOf(path))).lost, new Map())
  assert.deepEqual(await rolesOf('ann@example.com'), [{ role: 'billing:payer', until }, 'billing:reader'])
  assert.deepEqual(await rolesOf('bea@example.com'), ['billing:reader'])
  assert.equal(await rolesOf('cas@example.com'), undefined)
  const events = await auditOf(app, 'roles_granted')
  assert.deepEqual(
    events.map(({ actor_id, details }) => [actor_id, details]),
    [
      [null, { roles: ['billing:reader', 'billing:payer'], until: { 'billing:payer': until } }],
      [null, { roles: ['billing:reader'] }],
    ],
  )
  // An import changes nothing about users who are already imported.
  await runImport(
    app.ctx,
    importOf(await fileWith(t, linesOf([{ email: 'cas@example.com', roles: ['billing:payer'] }]))),
  )
  assert.equal(await rolesOf('cas@example.com'), undefined)
  const admin = await signedInAs(app, 'admin')
  const query = { application_role: 'billing:payer' }
  const { json } = await app.get('/auth/users', { ...withSession(admin.sessionToken), query })
  assert.deepEqual(
    json.data.users.map(({ email }: { email: string }) => email),
    ['ann@example.com'],
  )
})

test('a role that cannot be granted is reported, and the user is imported without it', async (t) => {
  const roles = [
    ...['billing:owner', 'billing', 'billing:reader:x', ':reader', 'billing:reader', 'billing:reader'],
    ...[{ role: 'billing:payer', until: at(-hour) }, { role: 'billing:payer', until: 'soon' }, { role: 7 }, null],
  ]
  const path = await fileWith(t, linesOf([{ email: 'dan@example.com', roles }]))
  const lost: string[] = []
  await runImport(app.ctx, importOf(path), { lost: (part) => void lost.push(part.lost) })
  assert.deepEqual(await rolesOf('dan@example.com'), ['billing:reader'])
  const text = lost.join('\n')
  for (const part of ['role billing:owner (does not exist)', 'such as billing:accountant', 'listed twice', 'has ended'])
    assert.ok(text.includes(part), `${part}\n${text}`)
})

test('a user gets at most ten roles, and the others are reported', async (t) => {
  await declaringApplication(app, 'shop', {
    roles: Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`role${index}`, []])),
  })
  const roles = Array.from({ length: 12 }, (_, index) => `shop:role${index}`)
  const summary = await runImport(app.ctx, importOf(await fileWith(t, linesOf([{ email: 'eve@example.com', roles }]))))
  assert.equal(((await rolesOf('eve@example.com')) as unknown[]).length, 10)
  assert.equal([...summary.lost.keys()].filter((name) => name.includes('more than 10')).length, 1)
})

test('a cell of a CSV file contains names of roles, separated by commas', async (t) => {
  const csv = 'email,roles\nfay@example.com,"billing:payer, billing:reader"\ngus@example.com,\n'
  await runImport(app.ctx, importOf(await fileWith(t, csv, 'users.csv'), { source }))
  assert.deepEqual(await rolesOf('fay@example.com'), ['billing:payer', 'billing:reader'])
  assert.equal(await rolesOf('gus@example.com'), undefined)
})

test('users get roles with sensitive permissions only with --allow-sensitive-roles', async (t) => {
  const records = [
    { email: 'hal@example.com', roles: ['billing:reader', 'billing:payer'] },
    { email: 'ida@example.com', roles: ['billing:reader'] },
  ]
  const path = await fileWith(t, linesOf(records))
  for (const work of [planImport, runImport]) {
    const { problems, shown, users } = await work(app.ctx, importWithout(path))
    assert.deepEqual([problems, users], [1, 1])
    assert.match(shown[0]?.problem ?? '', /billing:payer, which has a sensitive permission .* --allow-sensitive-roles/)
  }
  assert.equal((await exported(app.ctx)).includes('hal@example.com'), false)
  assert.deepEqual(await rolesOf('ida@example.com'), ['billing:reader'])
  assert.equal((await runImport(app.ctx, importOf(path))).problems, 0)
  assert.deepEqual(await rolesOf('hal@example.com'), ['billing:payer', 'billing:reader'])
  const again = await planImport(app.ctx, importWithout(path))
  assert.deepEqual([again.problems, again.present], [0, 2])
})
