import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { locate } from '../../scripts/mutants/locate.ts'
import { mutants, testsOf } from './list.ts'

test('every rule of the list is found in its file, and its test exists', () => {
  const stale = mutants.filter(
    (mutant) =>
      !existsSync(mutant.file) ||
      testsOf(mutant).length === 0 ||
      !testsOf(mutant).every((file) => existsSync(file)) ||
      !locate(readFileSync(mutant.file, 'utf8'), mutant.from, mutant.to),
  )
  assert.deepEqual(
    stale.map(({ rule }) => rule),
    [],
  )
})

test('no rule is listed twice', () => {
  const rules = mutants.map(({ rule }) => rule)
  assert.deepEqual(
    rules.filter((rule, index) => rules.indexOf(rule) < index),
    [],
  )
})
