// Setup: own process
// The bundler adds listeners to the process.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

test('the client is at most 8 kB compressed, with what it depends on', async () => {
  const input = fileURLToPath(new URL('../../../packages/client/src/index.ts', import.meta.url))
  const bundle = await rolldown({ input, platform: 'browser' })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  assert.equal(output.length, 1)
  const size = gzipSync(output[0].code, { level: 9 }).length
  assert.ok(output[0].code.includes('INVALID_SESSION') && size > 1000)
  assert.ok(size <= 8192, `${size} bytes`)
  console.log(`# ${size} bytes compressed`)
})
