import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { locate } from '../../scripts/mutants/locate.ts'
import { mutants } from './list.ts'

test('every rule of the list is found in its file, and its test exists', () => {
  const stale = mutants.filter(
    ({ file, from, to, test: watcher }) =>
      !existsSync(file) || !existsSync(watcher) || !locate(readFileSync(file, 'utf8'), from, to),
  )
  assert.deepEqual(
    stale.map(({ rule }) => rule),
    [],
  )
})
