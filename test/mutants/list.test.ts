import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { mutants } from './list.ts'

test('every rule that can be removed still stands where the list says, exactly once, and its test is there', () => {
  const stale = mutants.filter(
    ({ file, from, test: watcher }) => readFileSync(file, 'utf8').split(from).length !== 2 || !existsSync(watcher),
  )
  assert.deepEqual(
    stale.map(({ rule }) => rule),
    [],
  )
})
