import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sealEvents } from '../../src/audit/seal-events.ts'
import { verifySeals } from '../../src/audit/verify-seals.ts'
import { connectDatabase, type Database } from '../../src/db/connect.ts'
import { migrate } from '../../src/db/migrate.ts'
import { createLogger } from '../../src/lib/log.ts'
import { serviceClock } from '../../src/lib/time.ts'
import { needsPostgres, newDatabase, type TestDatabase } from '../nodes/nodes.ts'

describe('seals of several nodes at one instant', needsPostgres, () => {
  let place: TestDatabase
  let nodes: Database[]
  before(async () => {
    place = await newDatabase()
    const options = { url: place.url, poolMax: 4, dataDir: undefined, archive: undefined, onDown: () => {} }
    nodes = await Promise.all([0, 1].map(() => connectDatabase(options)))
    await migrate(nodes[0]!.db, new Date())
  })
  after(async () => {
    await Promise.all((nodes ?? []).map((node) => node.close()))
    await place?.drop()
  })

  test('while events arrive, eight sealers make one unbroken chain over all of them', async () => {
    const ctx = {
      clock: serviceClock({ now: () => Date.now() }),
      dataKeys: [{ id: '1', key: Buffer.alloc(32, 7) }],
      log: createLogger('silent', [], () => {}),
    }
    const insert = `INSERT INTO audit_events (id, time, event, outcome, node)
      SELECT gen_random_uuid(), clock_timestamp(), 'login_success', 'success', 'node' FROM generate_series(1, 7)`
    let sealed = 0
    for (let round = 0; round < 20; round++) {
      const writers = [0, 1, 2].map((index) => nodes[index % 2]!.query(insert, []))
      const sealers = Array.from({ length: 8 }, (_, index) => sealEvents({ ...ctx, db: nodes[index % 2]!.db }, 10))
      for (const count of await Promise.all(sealers)) sealed += count
      await Promise.all(writers)
    }
    for (let count = 1; count > 0; sealed += count) count = await sealEvents({ ...ctx, db: nodes[0]!.db }, 10)
    assert.equal(sealed, 20 * 3 * 7)
    const found = await verifySeals(nodes[1]!.db, {
      dataKeys: ctx.dataKeys,
      keptSince: new Date(0),
      sealedUntil: new Date(0),
      newest: 1_000,
    })
    assert.deepEqual([found.broken, found.checked], [[], found.seals])
  })
})
