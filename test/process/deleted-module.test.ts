import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { routesOf } from '../../src/http/server/create-server.ts'
import type { KnownRoute } from '../../src/http/server/route-table.ts'
import tsconfig from '../../tsconfig.json' with { type: 'json' }
import { freePort } from '../support/free-port.ts'
import { forShortServices } from '../support/node-options.ts'
import { openScratch, type Scratch } from '../support/scratch.ts'
import { startTestApp } from '../support/test-app.ts'
import { copyTree, deleteModules, generateDocuments, remainingTests } from './tree-without-module.ts'

const run = promisify(execFile)

const modules = ['post-types', 'blog', 'onboarding', 'privacy', 'two-factor', 'oauth', 'api-keys']

const { DELETED_MODULE_TESTS: thorough, TEST_FIFTH: fifth = 'all' } = process.env
/**
 * Whatever the core needs from a module is found without all of them. What a module needs from another one is found by
 * deleting each in turn, one per day if a run includes a fifth of the doubled files. By default, only the sources are
 * type-checked, and only these fast test files run, which test parts of the core that modules extend.
 * DELETED_MODULE_TESTS=all checks everything and runs all remaining files of the embedded part for each deleted module,
 * and DELETED_MODULE_TESTS=blog does so only for the blog module.
 */
const isThorough = (id: string): boolean => modules.includes(id) && (thorough === 'all' || thorough === id)
const isDue = (id: string): boolean => fifth === 'all' || modules.indexOf(id) % 5 === Number(fifth) || isThorough(id)
const quick =
  /^test\/(imports|auth\/login|hub\/(routes|plan)|profile\/(read|export)|config\/load|outbox\/render-message)\.test\.ts$/

let scratch: Scratch
/** All modules use the same path because Node.js finds a file in its compile cache by its path. */
let tree: string
let routes: readonly KnownRoute[]
let env: NodeJS.ProcessEnv
before(async () => {
  scratch = await openScratch('without-module')
  tree = join(scratch.directory, 'tree')
  const { NODE_TEST_CONTEXT: _, ...own } = process.env
  env = { ...own, NODE_COMPILE_CACHE: join(scratch.directory, 'compile-cache'), TEST_DATABASE_URL: '' }
  const app = await startTestApp()
  routes = routesOf(app.http)
  await app.stop()
})
after(() => scratch?.close())

const deletions = { 'all modules': modules, ...Object.fromEntries(modules.filter(isDue).map((id) => [id, [id]])) }

for (const [name, ids] of Object.entries(deletions)) {
  describe(`without the folder and the line in modules/index.ts of ${name}`, { concurrency: true }, () => {
    let tests: string[]
    before(async () => {
      copyTree(tree)
      const deleted = deleteModules(tree, ids)
      tests = remainingTests(tree, deleted, routes)
      if (isThorough(name)) await generateDocuments(tree, env)
    })

    // A test of one module that uses a type of another one is found only by the thorough check of that module.
    test('everything else type-checks', async () => {
      if (!isThorough(name) && ids !== modules)
        writeFileSync(join(tree, 'tsconfig.json'), JSON.stringify({ ...tsconfig, include: ['src'] }))
      assert.equal(await typeErrors(), '')
    })

    test('the service starts', async () => {
      const port = String(await freePort())
      const service = await scratch.start(process.execPath, [...forShortServices, 'bin/wardenry.js', 'start'], {
        cwd: tree,
        env: {
          PATH: process.env.PATH ?? '',
          HOST: '127.0.0.1',
          PORT: port,
          DATA_DIR: join(scratch.directory, `data-${ids}`),
          NODE_COMPILE_CACHE: env.NODE_COMPILE_CACHE ?? '',
        },
      })
      await service.until(async () => {
        const reply = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined)
        await reply?.body?.cancel()
        return reply?.status === 200
      })
      assert.equal(await service.end('SIGTERM'), 0)
    })

    test('the other tests pass', async () => {
      const { code, stdout } = await output(testsToRun())
      assert.deepEqual(stdout.match(/^(FAIL|failed:) .*/gm) ?? [], [])
      assert.match(stdout, /^[1-9]\d* passed/m)
      assert.equal(code, 0)
    })

    function testsToRun(): string[] {
      const all = ['scripts/test.ts', '--only', 'embedded']
      if (isThorough(name)) return all
      const files = tests.filter((file) => quick.test(file))
      assert.ok(files.length >= 3, files.join(' '))
      return [...all, ...files]
    }
  })
}

/**
 * All files are checked. An incremental check would miss a core file that uses a type that the deleted module adds to an
 * interface, because that file does not import the module. A second checker repeats most of the first one's work.
 */
async function typeErrors(): Promise<string> {
  const compiler = join(tree, 'node_modules/typescript/bin/tsc')
  return (await output([compiler, '--noEmit', '--checkers', '1'])).stdout
}

async function output(args: string[]): Promise<{ code: number; stdout: string }> {
  const ended = run(process.execPath, args, { cwd: tree, env, maxBuffer: 2 ** 27 })
  return ended.then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
  )
}
