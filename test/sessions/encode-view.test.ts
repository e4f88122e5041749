import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReadView } from '../../src/context.ts'
import { decodeView, encodeView } from '../../src/sessions/encode-view.ts'

const time = new Date('2026-01-01T00:00:00Z')
const times = { created_at: time, started_at: time, last_used_at: time, proved_at: time }
const view = {
  session: { id: 'a', ...times, ends_at: time, impersonated_by: null, sign_in_method: null },
  user: { id: 'b', metadata: {}, created_at: time, updated_at: time },
  version: '1',
  owners: [
    { id: 'b', epoch: 1 },
    { id: 'shop', epoch: 2 },
  ],
  read_at: 1,
  grants: { version: 0, ids: [], until: null },
}
const decoded = (value: unknown) => decodeView(JSON.stringify(value))

test('a session view is the same after it has been in the shared cache', () => {
  assert.deepEqual(decodeView(encodeView(view as unknown as ReadView)), view)
  const endless = { ...view, session: { ...view.session, ends_at: null } }
  assert.deepEqual(decoded(endless), endless)
})

test('a damaged session view is not used', () => {
  for (const text of ['', '{', 'null', '1', '[]', '{}']) assert.equal(decodeView(text), undefined, text)
  for (const name of ['session', 'user', 'version', 'owners', 'read_at', 'grants'])
    assert.equal(decoded({ ...view, [name]: undefined }), undefined, name)
  assert.equal(decoded({ ...view, session: { ...view.session, id: 1 } }), undefined)
  assert.equal(decoded({ ...view, user: { ...view.user, id: null } }), undefined)
  assert.equal(decoded({ ...view, user: { ...view.user, metadata: undefined } }), undefined)
})

test('a session view that cannot be ended with the other sessions of its user is not used', () => {
  const shop = { id: 'shop', epoch: 2 }
  for (const owners of [[], [shop], [shop, { id: 'b', epoch: 1 }], [{ id: 'b' }], [{ id: 'b', epoch: 1 }, {}], 'b', {}])
    assert.equal(decoded({ ...view, owners }), undefined, JSON.stringify(owners))
})

test('a session view that does not say whether the user is impersonated is not used', () => {
  assert.equal(decoded({ ...view, session: { ...view.session, impersonated_by: undefined } }), undefined)
})

test('a session view that does not say how the session began is not used', () => {
  assert.equal(decoded({ ...view, session: { ...view.session, sign_in_method: undefined } }), undefined)
})
