import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needsPostgres } from './nodes.ts'
import { startRestartableNodes } from './restarts.ts'
import { startSteadyLoad } from './steady-load.ts'

test(
  'rolling restarts lose no request of clients that keep connections and take the other node when one does not accept',
  needsPostgres,
  async (t) => {
    const nodes = await startRestartableNodes()
    t.after(nodes.stop)
    const load = await startSteadyLoad(nodes.urls[0], nodes.urls)
    t.after(load.stop)
    const restarts = await nodes.restartInTurn()
    await load.stop()
    t.diagnostic(`${restarts} restarts, ${load.resets} resets: ${JSON.stringify(load.answered)}`)
    assert.deepEqual(load.failures, {})
    // The operating system resets connections that arrive after the last `accept` and before the port is closed.
    assert.ok(load.resets <= Math.ceil(restarts / 10), `${load.resets} connections were reset`)
    assert.equal(Object.keys(load.answered).length, 6)
  },
)
