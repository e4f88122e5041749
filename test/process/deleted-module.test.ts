import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { routesOf } from '../../src/http/server/create-server.ts'
import type { KnownRoute } from '../../src/http/server/route-table.ts'
import { freePort } from '../support/free-port.ts'
import { openScratch, type Scratch } from '../support/scratch.ts'
import { startTestApp } from '../support/test-app.ts'
import { copyWithout, remainingTests } from './tree-without-module.ts'

const run = promisify(execFile)

const modules = ['post-types', 'blog', 'onboarding', 'privacy', 'two-factor']

/**
 * By default, only these fast test files run. They test parts of the core that modules extend. DELETED_MODULE_TESTS=all
 * runs all remaining files of the embedded part for each deleted module, and DELETED_MODULE_TESTS=blog runs them only
 * for the blog module.
 */
const quick =
  /^test\/(imports|auth\/login|hub\/(routes|plan)|profile\/(read|export)|config\/load|outbox\/render-message)\.test\.ts$/

let routes: readonly KnownRoute[]
before(async () => {
  const app = await startTestApp()
  routes = routesOf(app.http)
  await app.stop()
})

for (const id of modules) {
  describe(`without the folder of the module ${id} and its line in modules/index.ts`, () => {
    let tree: Scratch
    let tests: string[]
    before(async () => {
      tree = await openScratch('without-module')
      const deleted = copyWithout(tree.directory, id)
      tests = remainingTests(tree.directory, deleted, routes)
    })
    after(() => tree.close())

    test('everything else type-checks', async () => {
      const compiler = join(tree.directory, 'node_modules/typescript/bin/tsc')
      const { stdout } = await run(process.execPath, [compiler, '--noEmit'], { cwd: tree.directory }).catch(
        (error: { stdout: string }) => error,
      )
      assert.equal(stdout, '')
    })

    test('the service starts', async () => {
      const port = String(await freePort())
      const env = {
        PATH: process.env.PATH ?? '',
        HOST: '127.0.0.1',
        PORT: port,
        DATA_DIR: join(tree.directory, 'data'),
      }
      const service = await tree.start(process.execPath, ['bin/wardenry.js', 'start'], { cwd: tree.directory, env })
      await service.until(async () => {
        const reply = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined)
        await reply?.body?.cancel()
        return reply?.status === 200
      })
      assert.equal(await service.end('SIGTERM'), 0)
      rmSync(join(tree.directory, 'data'), { recursive: true })
    })

    test('the other tests pass', async () => {
      const { NODE_TEST_CONTEXT: _, ...env } = process.env
      const { code, stdout } = await run(process.execPath, testsToRun(), {
        cwd: tree.directory,
        env: { ...env, TEST_DATABASE_URL: '' },
        maxBuffer: 2 ** 27,
      }).then(
        ({ stdout }) => ({ code: 0, stdout }),
        ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
      )
      assert.deepEqual(stdout.match(/^(\s*not ok|FAIL|failed:|[ ]*✖) .*/gm) ?? [], [])
      assert.match(stdout, /^(# pass [1-9]|[1-9]\d* passed)/m)
      assert.equal(code, 0)
    })

    function testsToRun(): string[] {
      const { DELETED_MODULE_TESTS: chosen } = process.env
      if (chosen === 'all' || chosen === id) return ['scripts/test.ts', '--only', 'embedded']
      const files = tests.filter((file) => quick.test(file))
      assert.ok(files.length >= 4, files.join(' '))
      return ['--test', '--test-reporter=tap', ...files]
    }
  })
}
