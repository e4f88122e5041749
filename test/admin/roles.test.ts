import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AdminAction, type AttemptedAction, denialReason } from '../../src/http/access/permissions.ts'
import { createStaffRoles } from '../../src/http/access/staff-roles.ts'

const staff = createStaffRoles({ USER_TYPES: ['partner'] }, [])

const deeds: AdminAction[] = [
  'read',
  'create',
  'update',
  'change_role',
  'change_protection',
  'set_password',
  'delete',
  'restore',
  'end_sessions',
  'block',
  'unblock',
  'export',
]
type Row = Record<AdminAction, string>

const row = (marks: string): Row => {
  const words: Record<string, string> = { y: 'allowed', n: 'FORBIDDEN', l: 'LAST_SUPERADMIN' }
  return Object.fromEntries(deeds.map((deed, index) => [deed, words[marks.replaceAll(' ', '')[index] ?? '']])) as Row
}

// Columns, in the order of `deeds`: read create update | role protection password | delete restore sessions | block
// unblock export.
const table: [actor: string, target: string, rights: Row][] = [
  ...['customer', 'writer', 'partner', ''].flatMap((actor) =>
    ['customer', 'writer', 'partner', 'admin', 'superadmin', 'self'].map((target): [string, string, Row] => [
      actor,
      target,
      row('nnn nnn nnn nnn'),
    ]),
  ),
  ...['customer', 'support', 'admin', 'superadmin', 'self'].map((target): [string, string, Row] => [
    'support',
    target,
    row('ynn nnn nnn nnn'),
  ]),
  ['admin', 'customer', row('yyy yyy yyy yyy')],
  ['admin', 'writer', row('yyy yyy yyy yyy')],
  ['admin', 'partner', row('yyy yyy yyy yyy')],
  ['admin', 'admin', row('yyy yyy yyy yyy')],
  ['admin', 'superadmin', row('ynn nnn nnn nnn')],
  ['admin', 'self', row('yny nnn nny nnn')],
  ['superadmin', 'customer', row('yyy yyy yyy yyy')],
  ['superadmin', 'writer', row('yyy yyy yyy yyy')],
  ['superadmin', 'partner', row('yyy yyy yyy yyy')],
  ['superadmin', 'admin', row('yyy yyy yyy yyy')],
  ['superadmin', 'superadmin', row('yyy yyy yyy yyy')],
  ['superadmin', 'self', row('yny nnn nny nnn')],
]

const verdict = (
  actorRole: string,
  targetRole: string,
  deed: AdminAction,
  more: Omit<AttemptedAction, 'action'> = {},
) => {
  const actor = { id: 'a', user_type: actorRole }
  const target = targetRole === 'self' ? actor : { id: 't', user_type: targetRole }
  return denialReason(staff, actor, target, { action: deed, ...more }) ?? 'allowed'
}

for (const [actor, target, rights] of table) {
  test(`what ${actor || 'nobody'} may do to ${target}`, () => {
    assert.deepEqual(Object.fromEntries(deeds.map((deed) => [deed, verdict(actor, target, deed)])), rights)
  })
}

test('only a superadmin makes somebody a superadmin, in whichever way', () => {
  for (const deed of ['create', 'change_role'] as const) {
    for (const role of ['customer', 'writer', 'admin']) {
      assert.equal(verdict('admin', role, deed, { to: 'superadmin' }), 'FORBIDDEN')
      assert.equal(verdict('superadmin', role, deed, { to: 'superadmin' }), 'allowed')
      assert.equal(verdict('admin', role, deed, { to: 'admin' }), 'allowed')
    }
    for (const to of ['superadmin', 'customer', 'admin']) {
      assert.equal(verdict('admin', 'self', deed, { to }), 'FORBIDDEN')
      assert.equal(verdict('superadmin', 'self', deed, { to }), 'FORBIDDEN')
      assert.equal(verdict('admin', 'superadmin', deed, { to }), 'FORBIDDEN')
    }
  }
})

test('the last superadmin stays one and stays, whoever asks; everything else goes on', () => {
  for (const deed of deeds) {
    const last = { isLastSuperadmin: true }
    const ends = deed === 'delete' || deed === 'change_role' || deed === 'block'
    assert.equal(
      verdict('superadmin', 'self', deed, last),
      ends ? 'LAST_SUPERADMIN' : verdict('superadmin', 'self', deed),
    )
    assert.equal(verdict('superadmin', 'superadmin', deed, last), ends ? 'LAST_SUPERADMIN' : 'allowed')
    assert.equal(verdict('admin', 'superadmin', deed, last), deed === 'read' ? 'allowed' : 'FORBIDDEN')
  }
})
