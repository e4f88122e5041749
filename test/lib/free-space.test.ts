import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { freeBytes, spaceCheck } from '../../src/lib/free-space.ts'

test('a directory has space while its file system has more than the reserve, and it can be written to', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'wardenry-space-'))
  t.after(() => rm(directory, { recursive: true, force: true }))
  assert.ok((await freeBytes(directory)) > 0)
  assert.equal(await spaceCheck(directory, 1)(), true)
  assert.equal(await spaceCheck(directory, Number.MAX_SAFE_INTEGER)(), false)
  assert.equal(await spaceCheck(join(directory, 'missing'), 1)(), false)
  await chmod(directory, 0o500)
  if (process.getuid?.() !== 0) assert.equal(await spaceCheck(directory, 1)(), false)
})
