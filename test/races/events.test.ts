import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Context } from '../../src/context.ts'
import { connectDatabase, type Database } from '../../src/db/connect.ts'
import { migrate } from '../../src/db/migrate.ts'
import { transact } from '../../src/db/transact.ts'
import { positionEvents } from '../../src/events/assign-positions.ts'
import { findEventsAfter, findLastPosition } from '../../src/events/queries.ts'
import { recordEvents } from '../../src/events/record.ts'
import { newId } from '../../src/lib/ids.ts'
import { createLogger } from '../../src/lib/log.ts'
import { serviceClock } from '../../src/lib/time.ts'
import { needsPostgres, newDatabase, type TestDatabase } from '../nodes/nodes.ts'

describe('events of concurrent transactions', needsPostgres, () => {
  let place: TestDatabase
  let nodes: Database[]
  before(async () => {
    place = await newDatabase()
    const options = { url: place.url, poolMax: 8, dataDir: undefined, archive: undefined, onDown: () => {} }
    nodes = await Promise.all([0, 1].map(() => connectDatabase(options)))
    await migrate(nodes[0]!.db, new Date())
  })
  after(async () => {
    await Promise.all((nodes ?? []).map((node) => node.close()))
    await place?.drop()
  })

  const clock = serviceClock({ now: () => Date.now() })
  const log = createLogger('silent', [], () => {})
  const ctx = (index: number) => ({ db: nodes[index % 2]!.db, clock, log }) as Context
  const created = (user_id: string) => ({ type: 'user.created', data: { user_id } }) as const
  const idsAfter = async (position: number) => {
    const rows = await findEventsAfter(nodes[0]!.db, position, 10_000)
    return { ids: rows.map(({ target_id }) => target_id), next: rows.at(-1)?.position ?? position, rows }
  }

  test('an event that is committed after later ones is read after them', async () => {
    const [early, late] = [newId(), newId()]
    const { promise: bothInserted, resolve: release } = Promise.withResolvers<void>()
    const { promise: inserted, resolve: isInserted } = Promise.withResolvers<void>()
    const slow = transact(ctx(0), async (tx) => {
      await recordEvents(tx, [created(early)])
      isInserted()
      await bothInserted
    })
    await inserted
    await transact(ctx(1), (tx) => recordEvents(tx, [created(late)]))
    await positionEvents(ctx(0))
    const first = await idsAfter(0)
    assert.deepEqual(first.ids, [late])
    release()
    await slow
    await positionEvents(ctx(1))
    assert.deepEqual((await idsAfter(first.next)).ids, [early])
  })

  test('a reader that follows many writers and two numbering nodes reads every event once', async () => {
    const start = await findLastPosition(nodes[0]!.db)
    const written: string[] = []
    const write = async (index: number) => {
      for (let round = 0; round < 25; round++) {
        const id = newId()
        await transact(ctx(index), async (tx) => {
          await recordEvents(tx, [created(id)])
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 15))
          if (round % 5 === 4) throw new Error('rolled back')
        }).then(
          () => written.push(id),
          () => {},
        )
      }
    }
    let isWriting = true
    const number = async (index: number) => {
      while (isWriting) await positionEvents(ctx(index))
    }
    const read: (string | null)[] = []
    let next = start
    const follow = async () => {
      const page = await idsAfter(next)
      for (const [index, { position }] of page.rows.entries()) assert.equal(position, next + 1 + index)
      read.push(...page.ids)
      next = page.next
    }
    const reader = (async () => {
      while (isWriting) await follow()
    })()
    const numbering = [number(0), number(1)]
    await Promise.all(Array.from({ length: 6 }, (_, index) => write(index)))
    isWriting = false
    await Promise.all([reader, ...numbering])
    await positionEvents(ctx(0))
    await follow()
    assert.equal(written.length, 6 * 20)
    assert.deepEqual([...read].sort(), [...written].sort())
  })
})
