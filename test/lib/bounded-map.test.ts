import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BoundedMap } from '../../src/lib/bounded-map.ts'

describe('a bounded map', () => {
  test('returns what was set last', () => {
    const map = new BoundedMap<string, number>({ maxWeight: 10 })
    assert.equal(map.get('a'), undefined)
    map.set('a', 1)
    map.set('a', 2)
    assert.deepEqual([map.get('a'), map.size], [2, 1])
    map.delete('a')
    assert.deepEqual([map.get('a'), map.size], [undefined, 0])
    map.set('b', 1)
    map.clear()
    assert.deepEqual([map.get('b'), map.size], [undefined, 0])
  })

  test('is bounded, and keeps an entry in use', () => {
    const map = new BoundedMap<string, number>({ maxWeight: 100 })
    map.set('used', 0)
    for (let n = 1; n <= 10_000; n++) {
      map.set(`flood ${n}`, n)
      if (n % 40 === 0) assert.equal(map.get('used'), 0)
      assert.ok(map.size <= 100, `${map.size}`)
    }
    assert.equal(map.get('flood 1'), undefined)
    assert.equal(map.get('flood 10000'), 10_000)
  })

  test('does not drop others for an entry that is replaced or deleted', () => {
    const map = new BoundedMap<string, number>({ maxWeight: 100 })
    map.set('one', 1)
    for (let n = 0; n < 10_000; n++) {
      map.set('two', n)
      map.set('three', n)
      map.delete('three')
    }
    assert.equal(map.get('one'), 1)
  })

  test('returns no former value of an entry that was set again after a rotation', () => {
    const map = new BoundedMap<string, number>({ maxWeight: 100 })
    map.set('a', 1)
    map.rotate()
    map.set('a', 2)
    map.delete('a')
    assert.equal(map.get('a'), undefined)
  })

  test('counts weights, and does not keep a value heavier than half of the bound', () => {
    const map = new BoundedMap<string, string>({ maxWeight: 20, weightOf: ({ length }) => length })
    for (const name of ['a', 'b', 'c', 'd', 'e']) map.set(name, 'xxxxx')
    assert.deepEqual([map.size, map.get('a'), map.get('e')], [3, undefined, 'xxxxx'])
    map.set('e', 'x'.repeat(11))
    assert.equal(map.get('e'), undefined, 'the former value is removed as well')
  })

  test('drops entries that were not used between two rotations', () => {
    let rotations = 0
    const map = new BoundedMap<string, number>({ maxWeight: 100, onRotate: () => rotations++ })
    map.set('used', 1)
    map.set('idle', 1)
    map.rotate()
    map.get('used')
    map.rotate()
    assert.deepEqual([map.get('used'), map.get('idle'), rotations], [1, undefined, 2])
  })
})
