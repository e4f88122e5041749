import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

const stopper = new URL('../../scripts/mutants/stop-at-failure.ts', import.meta.url).href

let directory: string
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'wardenry-stop-'))
})
after(() => rm(directory, { recursive: true }))

test('after a failure, no other test runs, but the file is cleaned up', async () => {
  const output = await run(`
    after(() => console.log('cleaned up'))
    test('a', () => console.log('ran a'))
    test('b', async (t) => {
      await t.test('c', () => { throw new Error('failure of c') })
    })
    test('d', () => console.log('ran d'))
    describe('e', () => {
      after(() => console.log('cleaned up e'))
      test('f', () => console.log('ran f'))
    })
  `)
  assert.deepEqual(output.match(/^(ran|cleaned up).*/gm), ['ran a', 'cleaned up e', 'cleaned up'])
  assert.match(output, /failure of c/)
  assert.match(output, /^ℹ pass 1$/m)
})

test('without a failure, all tests run', async () => {
  const output = await run(`
    test('a', () => console.log('ran a'))
    test('b', { skip: true }, () => {})
    test('c', () => console.log('ran c'))
  `)
  assert.deepEqual(output.match(/^ran.*/gm), ['ran a', 'ran c'])
  assert.match(output, /^ℹ fail 0$/m)
})

test('a process that a test starts does not inherit the import', async () => {
  assert.match(await run("console.log('inherited:', process.env.NODE_OPTIONS)"), /^inherited: undefined$/m)
})

/** Returns the file's output, whether it passes or fails. */
async function run(source: string): Promise<string> {
  const file = join(directory, 'file.test.mjs')
  await writeFile(file, `import { after, describe, test } from 'node:test'\n${source}`)
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--test-reporter=spec', file],
      { env: { ...env, NO_COLOR: '1', NODE_OPTIONS: `--import=${stopper}` } },
      (_error, stdout) => resolve(stdout),
    )
  })
}
