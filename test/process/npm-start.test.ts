import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { freePort } from '../support/free-port.ts'
import { openScratch } from '../support/scratch.ts'

const root = join(import.meta.dirname, '../..')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

// npm forwards signals to the script's shell, but a shell does not forward them to its child.
test('the signal that ends npm start ends the service', async (t) => {
  const scratch = await openScratch('npm-start')
  t.after(() => scratch.close())
  const port = String(await freePort())
  const env = {
    PATH: [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter),
    HOST: '127.0.0.1',
    PORT: port,
    DATA_DIR: join(scratch.directory, 'data'),
  }
  const shell = await scratch.start('/bin/sh', ['-c', scripts.start], { cwd: root, env })
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/health/live`).then(
      (reply) => reply.ok,
      () => false,
    )
  await shell.until(answers)
  assert.equal(await shell.end('SIGTERM'), 0)
  assert.equal(await answers(), false)
})
