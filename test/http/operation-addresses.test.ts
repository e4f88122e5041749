import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RouteTable } from '../../src/http/server/route-table.ts'

const rule = { hidden: false } as Parameters<RouteTable['add']>[1]

test('the address of an operation contains its parameters, encoded', () => {
  const table = new RouteTable()
  table.add({ method: 'GET', url: '/users/:user_id/sessions/:id', schema: { operationId: 'getOne' } }, rule)
  const address = table.addressOf('getOne', { user_id: 'a/b?c#d', id: 'é' })
  assert.deepEqual(address, { method: 'GET', path: '/users/a%2Fb%3Fc%23d/sessions/%C3%A9' })
})

test('of several paths, the first with exactly these parameters is the address', () => {
  const table = new RouteTable()
  const schema = { operationId: 'getOne' }
  table.add({ method: ['GET', 'HEAD'], url: '/one', schema }, rule)
  table.add({ method: 'GET', url: '/ones/:id', schema }, rule)
  table.add({ method: 'GET', url: '/former/:id', schema }, rule)
  assert.equal(table.addressOf('getOne', {})?.path, '/one')
  assert.equal(table.addressOf('getOne', { id: '7' })?.path, '/ones/7')
  assert.equal(table.addressOf('getOne', { id: '7', more: '8' }), undefined)
})

test('an alias and an unknown operation have no address', () => {
  const table = new RouteTable()
  const schema = { operationId: 'updateOne' }
  table.add({ method: 'PATCH', url: '/one', schema }, { ...rule, hidden: true })
  assert.equal(table.addressOf('updateOne', {}), undefined)
  table.add({ method: 'PUT', url: '/one', schema }, rule)
  assert.equal(table.addressOf('updateOne', {})?.method, 'PUT')
  assert.equal(table.addressOf('toString', {}), undefined)
})
