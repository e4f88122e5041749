import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { type PostgresServer, skipWithoutPostgres, startPostgres } from './postgres.ts'

describe('a throw-away PostgreSQL', { skip: skipWithoutPostgres() }, () => {
  let server: PostgresServer
  before(async () => {
    server = await startPostgres()
  })
  after(() => server.stop())

  test('speaks UTF-8 and listens on loopback only', async () => {
    assert.deepEqual(await ask(server.url, "select current_setting('listen_addresses') a, 'ä' || length('ä') b"), [
      { a: '127.0.0.1', b: 'ä1' },
    ])
  })

  test('gives databases of their own', async () => {
    const [one, two] = await Promise.all([server.createDatabase(), server.createDatabase('named "so"')])
    await ask(one, 'create table only_here (id int)')
    assert.deepEqual(await ask(one, 'select * from only_here'), [])
    await assert.rejects(ask(two, 'select * from only_here'), { code: '42P01' })
  })

  test('cuts its clients off when killed, and recovers under the same address', async () => {
    const url = await server.createDatabase()
    await ask(url, 'create table kept (id int); insert into kept values (1)')
    const connected = new pg.Client({ connectionString: url })
    await connected.connect()
    const lost = new Promise((resolve) => connected.once('error', resolve))

    await server.kill()
    await lost
    await assert.rejects(ask(url, 'select 1'), { code: 'ECONNREFUSED' })
    await server.restart()
    assert.deepEqual(await ask(url, 'select id from kept'), [{ id: 1 }])
  })

  test('waits for the disk only when asked to', async () => {
    const durable = await startPostgres({ durable: true })
    const settings = "select current_setting('fsync') a, current_setting('synchronous_commit') b"
    assert.deepEqual(await ask(durable.url, settings), [{ a: 'on', b: 'on' }])
    assert.deepEqual(await ask(server.url, settings), [{ a: 'off', b: 'on' }])
    await durable.stop()
    await assert.rejects(ask(durable.url, settings), { code: 'ECONNREFUSED' })
  })
})

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
