import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { openWorkplace } from './run-command.ts'

test('openapi prints the document, whatever the settings are, and leaves nothing behind', async (t) => {
  const { runProcess, directory } = await openWorkplace(t)
  const { code, stdout, stderr } = await runProcess(['openapi'], {
    env: { PORT: 'http', PUBLIC_URL: 'https://id.example.com' },
  })
  assert.equal(code, 0, stderr)
  const document = JSON.parse(stdout)
  assert.match(document.openapi, /^3\.1/)
  assert.ok(document.paths['/auth/bridge/validate'].post)
  assert.deepEqual(document.servers, [{ url: 'http://localhost:3000' }])
  assert.deepEqual(await readdir(directory), [])
})
