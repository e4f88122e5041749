import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printable, printableJson } from '../../src/cli/columns.ts'

const hostile = 'a\u001b[2J\u009b2J\u202eb\nc'

test('text contains no control characters', () => {
  assert.equal(printable(hostile), 'a [2J 2J b c')
})

test('JSON contains no control characters but its line breaks, and keeps its value', () => {
  const text = printableJson({ name: hostile })
  assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\u202e]/u)
  assert.deepEqual(JSON.parse(text), { name: hostile })
})
