import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RouteOptions } from 'fastify'
import { routeRuleOf } from '../../src/http/access/route-rules.ts'

const config = { access: { bridge: 'none', session: 'full' }, limit: 'read' } as const
const schema = { response: {} }
const ruleOf = (options: object) =>
  routeRuleOf({ method: 'GET', url: '/x', config, schema, ...options } as RouteOptions)

test('a route must say who may call it, how often, and what it receives and returns', () => {
  assert.equal(ruleOf({}).name, 'GET /x')
  assert.throws(() => ruleOf({ config: undefined }), /^Error: GET \/x does not say who may call it/)
  assert.throws(() => ruleOf({ config: { ...config, access: undefined } }), /does not say who may call it/)
  assert.throws(() => ruleOf({ config: { ...config, limit: undefined } }), /has no limit/)
  assert.throws(() => ruleOf({ schema: undefined }), /has no schema/)
  assert.throws(() => ruleOf({ schema: {} }), /does not describe its reply/)
  assert.ok(ruleOf({ schema: {}, config: { ...config, hidden: true } }).hidden)
})

test('a route for back ends must say which right the secret of an application needs', () => {
  for (const bridge of ['required', 'optional'] as const) {
    const access = { ...config.access, bridge }
    assert.throws(() => ruleOf({ config: { ...config, access } }), /does not say which right a bridge secret needs/)
    assert.equal(ruleOf({ config: { ...config, access: { ...access, right: 'users' } } }).right, 'users')
  }
  assert.equal(ruleOf({}).right, 'sessions', 'to name an end user')
})

test('a route for certain roles cannot be open to impersonated sessions', () => {
  const open = { ...config, whileImpersonating: 'allowed' } as const
  assert.equal(ruleOf({ config: open }).whileImpersonating, 'allowed')
  for (const privilege of [{ roles: ['admin'] }, { notForApplications: true }])
    assert.throws(
      () => ruleOf({ config: { ...open, access: { ...config.access, ...privilege } } }),
      /impersonated sessions cannot call it/,
    )
})

test('only a route for anyone can be read by pages of any origin', () => {
  const open = { access: { bridge: 'none', session: 'none' }, limit: 'read', anyOrigin: true } as const
  assert.ok(ruleOf({ config: open }).anyOrigin)
  for (const access of [
    { bridge: 'none', session: 'optional' },
    { bridge: 'required', session: 'none', right: 'users' },
  ])
    assert.throws(() => ruleOf({ config: { ...open, access } }), /is not for anyone/)
})
