import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { databaseFault } from '../../src/db/errors.ts'
import { type PostgresServer, skipWithoutPostgres, startPostgres } from '../support/postgres.ts'

test('errors of the system and of the driver are faults, refused statements are not', () => {
  for (const code of [
    'ECONNREFUSED',
    'EPIPE',
    'ETIMEDOUT',
    'EAI_AGAIN',
    'ENOTFOUND',
    '08006',
    '53100',
    '58030',
    '57P01',
  ])
    assert.ok(databaseFault({ code }), code)
  for (const code of ['23505', '22P02', '25P02', '42501', '42P01', 'XX001', 'ENOENT', '08', ''])
    assert.equal(databaseFault({ code }), undefined, code)
  assert.ok(databaseFault(new Error('timeout exceeded when trying to connect')))
  assert.equal(databaseFault(new Error('another one')), undefined)
})

describe('what PostgreSQL says when it cannot do something', { skip: skipWithoutPostgres() }, () => {
  let server: PostgresServer
  before(async () => {
    server = await startPostgres()
    await onServer('CREATE ROLE poor LOGIN; CREATE ROLE crowd LOGIN CONNECTION LIMIT 0; CREATE TABLE kept (id int)')
    await onServer('INSERT INTO kept VALUES (1), (2)')
  })
  after(() => server?.stop())

  const at = (parts: { username?: string; pathname?: string }) => Object.assign(new URL(server.url), parts).href

  async function connect(url = server.url): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    await client.connect()
    return client
  }

  async function onServer(text: string, url = server.url): Promise<void> {
    const client = await connect(url)
    await client.query(text).finally(() => client.end())
  }

  /** Two transactions that each wait for a row the other has locked. */
  async function deadlock(): Promise<void> {
    const clients = await Promise.all([connect(), connect()])
    const update = (index: number, id: number) => clients[index]!.query('UPDATE kept SET id = id WHERE id = $1', [id])
    try {
      for (const client of clients) await client.query("BEGIN; SET LOCAL deadlock_timeout = '50ms'")
      await Promise.all([update(0, 1), update(1, 2)])
      await Promise.all([update(0, 2), update(1, 1)])
    } finally {
      await Promise.all(clients.map((client) => client.end()))
    }
  }

  async function lateWrite(): Promise<void> {
    const [one, other] = await Promise.all([connect(), connect()])
    try {
      await one.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
      await one.query('SELECT * FROM kept')
      await other.query('UPDATE kept SET id = id')
      await one.query('UPDATE kept SET id = id')
    } finally {
      await Promise.all([one.end(), other.end()])
    }
  }

  const provoked: [code: string, retryAfter: number | undefined, provoke: () => Promise<void>][] = [
    ['25006', 5, () => onServer('BEGIN READ ONLY; UPDATE kept SET id = id')],
    ['25P03', 2, idleTooLong],
    ['28000', 2, () => onServer('SELECT 1', at({ username: 'nobody_knows' }))],
    ['3D000', 2, () => onServer('SELECT 1', at({ pathname: '/missing' }))],
    ['40P01', 1, deadlock],
    ['40001', 1, lateWrite],
    ['42501', undefined, () => onServer('SELECT * FROM kept', at({ username: 'poor' }))],
    ['53300', 2, () => onServer('SELECT 1', at({ username: 'crowd' }))],
    [
      '53400',
      2,
      () =>
        onServer(
          "SET temp_file_limit = '64kB'; SET work_mem = '64kB'; SELECT * FROM generate_series(1, 99999) ORDER BY 1 DESC",
        ),
    ],
    ['55006', 1, dropOccupied],
    ['55P03', 1, lockTaken],
    ['57014', 2, () => onServer('SET statement_timeout = 20; SELECT pg_sleep(5)')],
    ['57P01', 2, () => onServer('SELECT pg_terminate_backend(pg_backend_pid())')],
  ]
  for (const [code, retryAfter, provoke] of provoked) {
    test(`${code} is ${retryAfter ? `a fault, to be tried again after ${retryAfter} s` : 'no fault'}`, async () => {
      const error = await provoke().then(
        () => undefined,
        (reason) => reason,
      )
      assert.equal(error?.code, code, `${error}`)
      assert.equal(databaseFault(error)?.retryAfter, retryAfter)
    })
  }

  /** The server sends the error and then closes the connection. */
  async function idleTooLong(): Promise<void> {
    const client = await connect()
    const ended = new Promise<never>((_, reject) => client.once('error', reject))
    await client.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 20')
    await ended
  }

  async function dropOccupied(): Promise<void> {
    const url = await server.createDatabase('occupied')
    const inside = await connect(url)
    await onServer('DROP DATABASE occupied').finally(() => inside.end())
  }

  async function lockTaken(): Promise<void> {
    const holder = await connect()
    try {
      await holder.query('BEGIN; LOCK TABLE kept')
      await onServer('SET lock_timeout = 20; LOCK TABLE kept')
    } finally {
      await holder.end()
    }
  }
})
