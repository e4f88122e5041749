import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { type Superadmin, superadminOf } from './support.ts'

let app: TestApp
let root: Superadmin
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_ADMIN: '100000/1h' } })
  root = await superadminOf(app)
  for (let index = 10; index < 22; index++)
    await root.create(`shop-${index}`, {
      name: index === 12 ? 'Bücher & 100 %' : `Number ${index}`,
      return_addresses: [`https://n${index}.example.com`],
    })
  const { id: disabled } = await root.create('zoo-disabled')
  await root.call('POST', `/${disabled}/disable`)
  const { id: deleted } = await root.create('a-deleted')
  await root.call('DELETE', `/${deleted}`)
})
after(() => app.stop())

const listed = async (query = '') => {
  const { status, json } = await root.call('GET', query)
  assert.equal(status, 200, JSON.stringify(json))
  return { keys: json.data.applications.map(({ key }: { key: string }) => key), pagination: json.data.pagination }
}

test('applications are listed in pages, in the order of their keys, deleted ones last', async () => {
  const first = await listed()
  assert.deepEqual(first.pagination, { page: 1, limit: 10, total: 14, pages: 2, has_more: true })
  assert.equal(first.keys[0], 'shop-10')
  assert.deepEqual((await listed('?page=2')).keys, ['shop-20', 'shop-21', 'zoo-disabled', 'a-deleted'])
  assert.deepEqual((await listed('?page=3')).keys, [])
  assert.equal((await listed('?limit=1000')).pagination.limit, 100)
})

test('applications are found by a part of their key, name or address, and by state', async () => {
  for (const [query, keys] of [
    ['?q=Shop-11', ['shop-11']],
    ['?q=b%C3%BCcher', ['shop-12']],
    ['?q=100%20%25', ['shop-12']],
    ['?q=N13.EXAMPLE', ['shop-13']],
    ['?q=_', []],
    ['?state=disabled', ['zoo-disabled']],
    ['?state=deleted', ['a-deleted']],
    ['?state=enabled&q=zoo', []],
  ] as const)
    assert.deepEqual((await listed(query)).keys, keys, query)
})

test('other states, empty words and pages that cannot exist are rejected', async () => {
  for (const query of ['?state=gone', '?q=', '?page=0', '?page=99999999', `?q=${'x'.repeat(101)}`]) {
    const { status, json } = await root.call('GET', query)
    assert.deepEqual([status, json.code], [400, 'VALIDATION_ERROR'], query)
  }
})
