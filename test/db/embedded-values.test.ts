// Setup: embedded database
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Kysely } from 'kysely'
import { type EmbeddedDatabase, openEmbedded } from '../../src/db/embedded/open.ts'

describe('values', () => {
  let embedded: EmbeddedDatabase
  before(async () => {
    embedded = await openEmbedded({ dataDir: undefined, archive: undefined })
  })
  after(() => embedded.close())

  const read = async (expression: string, ...values: unknown[]) => {
    const [row] = await embedded.query<{ value: unknown }>(`SELECT ${expression} AS value`, values)
    return row?.value
  }
  const moment = new Date('2026-03-29T01:30:00.123Z')

  const readings: [expression: string, value: unknown][] = [
    ["timestamptz '2026-03-29 01:30:00.123+00'", moment],
    ["'9007199254740991'::int8", 9007199254740991],
    ['(SELECT count(*) FROM (VALUES (1), (2)) AS two)', 2],
    ["'12345678901234567890.10'::numeric", '12345678901234567890.10'],
    ['1.5::float8', 1.5],
    [`'{"a":[1,null]}'::json`, { a: [1, null] }],
    [`'{"a":[1,null]}'::jsonb`, { a: [1, null] }],
    [`ARRAY['a','b "c", {d}\\',NULL,'']`, ['a', 'b "c", {d}\\', null, '']],
    ["'{}'::text[]", []],
    ["'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid", 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
    ["'\\x00ff10'::bytea", Buffer.from([0, 255, 16])],
    ["ARRAY['\\x00ff'::bytea]", [Buffer.from([0, 255])]],
    ['true', true],
    ['NULL::text', null],
    ["'Zoë ☕ 𝄞'", 'Zoë ☕ 𝄞'],
  ]
  for (const [expression, value] of readings) {
    test(`${expression} is read as node-postgres reads it`, async () => {
      assert.deepEqual(await read(expression), value)
    })
  }

  const roundTrips: [type: string, sent: unknown, received?: unknown][] = [
    ['timestamptz', moment],
    ['timestamptz', moment.toISOString(), moment],
    ['timestamp', new Date(2026, 0, 31, 12, 0, 0, 5)],
    ['text', 'x'],
    ['text', ''],
    ['text', null],
    ['text', undefined, null],
    ['varchar', "quote ' and $1"],
    ['int4', 7],
    ['int4', '7', 7],
    ['int8', 9007199254740991n, 9007199254740991],
    ['numeric', 12.5, '12.5'],
    ['float8', 0.1],
    ['boolean', true],
    ['boolean', false],
    ['jsonb', { a: { b: [1, 'x', null] } }],
    ['jsonb', JSON.stringify({ a: 1 }), { a: 1 }],
    ['jsonb', JSON.stringify([1, 2]), [1, 2]],
    ['json', { a: 1 }],
    ['bytea', Buffer.from([0, 1, 255])],
    ['bytea', new Uint8Array([0, 1, 255]), Buffer.from([0, 1, 255])],
    ['bytea', Buffer.alloc(0)],
    ['uuid', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
    ['text[]', ['a', 'b,c', '"', null, 'NULL', '{}', 'back\\slash']],
    ['text[]', []],
    ['int4[]', [1, 2]],
    ['uuid[]', ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11']],
    ['bytea[]', [Buffer.from([0, 255]), Buffer.from([])]],
    ['timestamptz[]', [moment]],
    ['inet', '192.0.2.1'],
  ]
  for (const [type, sent, received = sent] of roundTrips) {
    test(`a ${type} sent as ${Buffer.isBuffer(sent) ? 'a Buffer' : describeValue(sent)} comes back`, async () => {
      assert.deepEqual(await read(`$1::${type}`, sent), received)
    })
  }

  test('a list of values is matched with = ANY($1)', async () => {
    assert.equal(await read('$1 = ANY($2)', 'b', ['a', 'b']), true)
    assert.equal(await read('$1 = ANY($2::bytea[])', Buffer.from([2]), [Buffer.from([1]), Buffer.from([2])]), true)
    assert.equal(await read("'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11' = ANY($1::uuid[])", []), false)
  })

  test('a value larger than any buffer in between survives', async () => {
    const large = 'é'.repeat(3_000_000)
    assert.equal((await read('$1::text', large)) === large, true)
  })

  test('Kysely hears how many rows a statement touched', async () => {
    const db = new Kysely<{ notes: { title: string; body: string | null } }>({ dialect: embedded.dialect })
    await embedded.exec('CREATE TABLE notes (title text, body text)')
    await db
      .insertInto('notes')
      .values([{ title: 'n1' }, { title: 'n2' }, { title: 'n3' }])
      .execute()
    const updated = await db
      .updateTable('notes')
      .set({ body: 'x' })
      .where('title', 'in', ['n1', 'n2'])
      .executeTakeFirst()
    const removed = await db.deleteFrom('notes').where('title', 'like', 'n_').executeTakeFirst()
    assert.equal(updated.numUpdatedRows, 2n)
    assert.equal(removed.numDeletedRows, 3n)
  })
})

function describeValue(value: unknown): string {
  return value instanceof Date
    ? 'a Date'
    : `${typeof value} ${typeof value === 'bigint' ? value : JSON.stringify(value)}`
}
