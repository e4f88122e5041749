import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { moveData } from '../../src/backup/move.ts'
import { loadConfig } from '../../src/config/load.ts'
import { waitForSessionLock } from '../../src/db/advisory-locks.ts'
import { connectDatabase } from '../../src/db/connect.ts'
import { assertUsable } from '../../src/db/installation-marks.ts'
import { migrate } from '../../src/db/migrate.ts'
import { withRestoreLock } from '../../src/db/restore-lock.ts'
import { loaded, openEmpty } from '../backup/support.ts'
import { needsPostgres, newDatabase } from '../nodes/nodes.ts'
import { eventually } from '../support/eventually.ts'

describe('while data moves', needsPostgres, () => {
  test('a write of a node that was not noticed waits and is refused, and no service uses the target', async (t) => {
    const target = await openEmpty(t)
    const database = await newDatabase()
    t.after(() => database.drop())
    const unused = { dataDir: undefined, archive: undefined, onDown: () => {} }
    const source = await connectDatabase({ url: database.url, poolMax: 2, ...unused })
    t.after(() => source.close())
    await migrate(source.db, new Date())
    const options = { config: loadConfig({ NODE_ENV: 'test' }), modules: loaded(), targetName: 'there' }
    const move = () => moveData(source, target, { ...options, onProgress: () => {} })
    const listening = await source.listen!()
    await assert.rejects(move(), /service is running on this database/)
    await listening.end()
    const node = await database.connect()
    await node.query('PREPARE change AS UPDATE users SET name = name')
    await node.query('EXECUTE change')
    const findLocks = (condition: string) =>
      database.query(`SELECT FROM pg_locks WHERE relation = 'users'::regclass AND ${condition}`)

    // The move waits for this lock once it has locked the source's tables.
    const obstacle = await target.listen!()
    await waitForSessionLock(obstacle, 'migrations')
    const moving = move()
    await eventually(async () => (await findLocks("mode = 'ShareRowExclusiveLock' AND granted")).length === 1, 60_000)
    const write = node.query('EXECUTE change').catch((error) => error)
    await eventually(async () => (await findLocks('NOT granted')).length === 1, 60_000)
    const rejection = () => assertUsable(target.db).then(() => '', String)
    await eventually(async () => /restored or moved to this database/.test(await rejection()), 60_000)
    await obstacle.end()
    await moving
    assert.equal((await write).code, '57000')
    await assert.rejects(assertUsable(target.db), /move to this database was not completed/)
  })

  test('a second restore or move to the same database is refused', async (t) => {
    const target = await openEmpty(t)
    await withRestoreLock(target, () =>
      assert.rejects(
        withRestoreLock(target, async () => {}),
        /Another restore or move/,
      ),
    )
    assert.equal(await withRestoreLock(target, async () => 'free'), 'free')
  })
})
