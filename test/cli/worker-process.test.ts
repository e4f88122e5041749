// Setup: own process
// node:cluster adds a listener to the process.
import assert from 'node:assert/strict'
import cluster from 'node:cluster'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startWorker, stopWorker, WorkerFailed } from '../../src/cli/workers/worker-process.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

function programOf(source: string): void {
  const exec = join(temporaryDirectory('worker'), 'worker.cjs')
  writeFileSync(exec, source)
  cluster.setupPrimary({ exec, execArgv: [] })
}

test('a worker that hangs during its start is killed, so that it does not hold back later replacements', async () => {
  programOf("process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)")
  await assert.rejects(startWorker({}, 200), WorkerFailed)
  assert.deepEqual(Object.keys(cluster.workers ?? {}), [])
})

test('a worker that has started is not killed', async () => {
  programOf("require('node:http').createServer().listen(0, '127.0.0.1'); setTimeout(() => process.exit(7), 3000)")
  const worker = await startWorker({}, 2000)
  const [code] = await new Promise<[number | null]>((resolve) => worker.once('exit', (one) => resolve([one])))
  assert.equal(code, 7)
  assert.equal(await stopWorker(worker), 7)
})
