import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { lockNumber } from '../../src/db/advisory-locks.ts'

const root = new URL('../../src/', import.meta.url).pathname

test('keeps the lock numbers that earlier versions use', () => {
  assert.equal(lockNumber('migrations'), 7236489015)
  assert.equal(lockNumber('jobQueue'), 7236489016)
  assert.equal(lockNumber('lastSuperadmin'), 7236489017)
  assert.equal(lockNumber('hubTables'), 7236489018)
})

test('takes advisory locks only through the registry, or by a hash of 64 bits of a text', () => {
  const calls = globSync('**/*.{ts,sql}', { cwd: root }).flatMap((file) => {
    const found = readFileSync(`${root}${file}`, 'utf8').matchAll(/pg_\w*advisory\w*\((.{0,20})/g)
    return [...found].map(([, argument]) => ({ file, argument: argument! }))
  })
  assert.ok(calls.some(({ file }) => file === 'db/advisory-locks.ts'))
  const elsewhere = calls.filter(({ file }) => file !== 'db/advisory-locks.ts')
  assert.deepEqual(
    elsewhere.filter(({ argument }) => !argument.startsWith("hashtextextended('")),
    [],
  )
})
