import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import pg from 'pg'
import { signInCheck } from '../../src/db/sign-in-check.ts'
import { databaseServer, needsPostgres } from '../nodes/nodes.ts'
import { eventually } from '../support/eventually.ts'
import { createDatabase, dropDatabase, skipWithoutPostgres, startPostgres } from '../support/postgres.ts'

const template = process.env.TEST_TEMPLATE
const skip = needsPostgres.skip || (template === undefined && 'skipped: no TEST_TEMPLATE')

async function open(t: TestContext): Promise<pg.Pool> {
  const url = await createDatabase(databaseServer, undefined, template)
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  pool.on('error', () => {})
  t.after(async () => {
    await pool.end()
    await dropDatabase(databaseServer, url)
  })
  return pool
}

describe('the check of what sign-ins need', { skip }, () => {
  test('leaves nothing behind', async (t) => {
    const pool = await open(t)
    const read = async () => {
      const { rows } =
        await pool.query(`SELECT sum(pg_relation_size(oid)) AS size, sum(relnatts) AS columns FROM pg_class
        WHERE relkind = 'r' AND relnamespace::regnamespace::text IN ('public', 'jobs')`)
      return rows[0]
    }
    await signInCheck(() => pool.connect())()
    const before = await read()
    for (let round = 0; round < 50; round++) await signInCheck(() => pool.connect())()
    assert.deepEqual(await read(), before)
  })

  test('is shared by all who ask within five seconds', async (t) => {
    const pool = await open(t)
    let count = 0
    const check = signInCheck(() => {
      count++
      return pool.connect()
    })
    await Promise.all(Array.from({ length: 50 }, check))
    await check()
    assert.equal(count, 1)
  })

  for (const [what, fault] of [
    ['a table is missing', 'ALTER TABLE sessions RENAME TO former'],
    ['nothing may be written', 'SET default_transaction_read_only = on'],
  ] as const)
    test(`fails if ${what}`, async (t) => {
      const pool = await open(t)
      await pool.query(fault)
      await assert.rejects(signInCheck(() => pool.connect())())
    })
})

test('the check is over within a second if a standby does not confirm', { skip: skipWithoutPostgres() }, async (t) => {
  const own = await startPostgres()
  t.after(() => own.stop())
  const pool = new pg.Pool({ connectionString: own.url })
  pool.on('error', () => {})
  // A check that took too long may still wait when the server stops.
  pool.on('connect', (client) => client.on('error', () => {}))
  t.after(() => pool.end())
  await pool.query(
    'CREATE TABLE users (id int); CREATE TABLE sessions (user_id int, token_hash text, last_used_at int)',
  )
  const check = () => signInCheck(() => pool.connect())()
  await check()
  await pool.query("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
  await pool.query('SELECT pg_reload_conf()')
  let took = 0
  const isUnconfirmed = async () => {
    const started = performance.now()
    const error = await check().then(
      () => undefined,
      (reason: Error) => reason,
    )
    took = performance.now() - started
    return error !== undefined && /did not confirm a commit/.test(error.message)
  }
  // The server's processes read their configuration one after another.
  await eventually(isUnconfirmed)
  assert.ok(took < 3_000, `${took}`)
  await pool.query('ALTER SYSTEM RESET synchronous_standby_names')
  await pool.query('SELECT pg_reload_conf()')
  await eventually(() =>
    check().then(
      () => true,
      () => false,
    ),
  )
})
