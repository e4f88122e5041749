import assert from 'node:assert/strict'
import { test } from 'node:test'
import { can, type Rule } from '../../../packages/server/src/index.ts'
import { application, appUrl, browserRequest, letIn, sessionToken } from './support.ts'

const accountant = {
  roles: ['accountant', 'billing:viewer'],
  permissions: ['invoices:read', 'invoices:write'],
}

async function outcomeOf(members: object, rule: Rule): Promise<string> {
  const { wardenry, answers } = application()
  letIn(answers, members)
  const headers = { 'x-session-id': sessionToken }
  const reply = await wardenry.requireUser(new Request(appUrl, { headers }), rule)
  if (!(reply instanceof Response)) return 'permitted'
  return `${reply.status} ${((await reply.json()) as { code: string }).code}`
}

const outcomes: [members: object, rule: Rule, outcome: string][] = [
  [accountant, { permission: 'invoices:write' }, 'permitted'],
  [accountant, { permission: 'invoices:delete' }, '403 FORBIDDEN'],
  [accountant, { permission: 'invoices:rea' }, '403 FORBIDDEN'],
  [accountant, { role: 'accountant' }, 'permitted'],
  [accountant, { role: 'billing:viewer' }, 'permitted'],
  [accountant, { role: 'account' }, '403 FORBIDDEN'],
  [accountant, { role: 'viewer' }, '403 FORBIDDEN'],
  [accountant, { role: 'accountant', permission: 'invoices:write' }, 'permitted'],
  [accountant, { role: 'accountant', permission: 'invoices:delete' }, '403 FORBIDDEN'],
  [accountant, { role: 'auditor', permission: 'invoices:write' }, '403 FORBIDDEN'],
  [{}, { permission: 'invoices:read' }, '403 FORBIDDEN'],
  [{}, { role: 'accountant' }, '403 FORBIDDEN'],
  [{ roles: [], permissions: [] }, { permission: 'invoices:read' }, '403 FORBIDDEN'],
  // A string would contain the words.
  [{ permissions: 'invoices:read' }, { permission: 'invoices:read' }, '403 FORBIDDEN'],
  [{ roles: 'accountant' }, { role: 'accountant' }, '403 FORBIDDEN'],
]
for (const [members, rule, outcome] of outcomes) {
  test(`${JSON.stringify(members)} with the rule ${JSON.stringify(rule)}: ${outcome}`, async () => {
    assert.equal(await outcomeOf(members, rule), outcome)
  })
}

test('a visitor without a session is sent to sign in, and one without the permission sees a page', async () => {
  const { wardenry, answers } = application()
  const rule = { permission: 'invoices:write' }
  const unknown = await wardenry.requireUser(browserRequest('/'), rule)
  assert.equal((unknown as Response).status, 303)
  letIn(answers)
  const cookie = `__Host-wardenry_session=${sessionToken}`
  const reply = (await wardenry.requireUser(browserRequest('/', { cookie }), rule)) as Response
  assert.equal(reply.status, 403)
  assert.match(reply.headers.get('content-type')!, /html/)
})

test('can tells whether a session has a permission', async () => {
  const { wardenry, answers } = application()
  letIn(answers, accountant)
  const session = await wardenry.sessionOf({ method: 'GET', headers: { 'x-session-id': sessionToken } })
  assert.deepEqual(session?.roles, accountant.roles)
  assert.equal(can(session, 'invoices:write'), true)
  assert.equal(can(session, 'invoices'), false)
  assert.equal(can(session, 'invoices:*'), false)
  for (const none of [undefined, null, {}, { permissions: [] }]) assert.equal(can(none, 'invoices:write'), false)
})
