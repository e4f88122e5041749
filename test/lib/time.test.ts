import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { day, formatDuration, hour, iso, minute, parseDuration, second } from '../../src/lib/time.ts'

test('durations are a number and a unit', () => {
  const read: Record<string, number> = {
    '0s': 0,
    '30s': 30 * second,
    '5m': 5 * minute,
    '24h': day,
    '7d': 7 * day,
    '90m': 90 * minute,
    '007s': 7 * second,
  }
  for (const [text, milliseconds] of Object.entries(read)) assert.equal(parseDuration(text), milliseconds, text)
  for (const text of [
    '',
    '5',
    'm',
    '5 m',
    ' 5m',
    '5m ',
    '-5m',
    '+5m',
    '1.5h',
    '5M',
    '5ms',
    '1h30m',
    '5w',
    '1e3s',
    '٥m',
    '12345678s',
    'Infinityd',
  ]) {
    assert.equal(parseDuration(text), undefined, text)
  }
})

test('a duration is written so that it is read back, in its largest unit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9_999_999 }), fc.constantFrom(second, minute, hour, day), (count, unit) => {
      fc.pre(count * unit < 9_999_999 * second)
      assert.equal(parseDuration(formatDuration(count * unit)), count * unit)
    }),
  )
  assert.equal(formatDuration(0), '0s')
  assert.equal(formatDuration(day), '1d')
  assert.equal(formatDuration(36 * hour), '36h')
  assert.equal(formatDuration(90 * second), '90s')
})

test('times are ISO 8601 in UTC with milliseconds, whatever they come as', () => {
  assert.equal(iso(0), '1970-01-01T00:00:00.000Z')
  assert.equal(iso(new Date('2038-01-19T03:14:08+02:00')), '2038-01-19T01:14:08.000Z')
  assert.equal(iso(Date.UTC(2024, 1, 29, 23, 59, 60)), '2024-03-01T00:00:00.000Z')
})
