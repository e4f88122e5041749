import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadPackage } from '../../src/adapters/load-package.ts'

test('a missing package is named together with the setting that needs it', async () => {
  const missing = 'no-such-package-of-ours'
  await assert.rejects(
    loadPackage(missing, 'SOME_URL', () => import(missing)),
    /^Error: SOME_URL needs the package "no-such-package-of-ours", which is not installed/,
  )
})

test('a package that fails for another reason reports that reason', async () => {
  await assert.rejects(
    loadPackage('redis', 'REDIS_URL', () => Promise.reject(new Error('broken'))),
    /broken/,
  )
})
