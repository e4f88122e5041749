import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addUp } from '../../src/adapters/metrics/add-up.ts'

const counter = (...values: [status: string, value: number][]) => ({
  name: 'requests_total',
  type: 'counter',
  values: values.map(([status, value]) => ({ labels: { status }, value })),
})

test('adds the counters of ended workers by label', () => {
  const sum = addUp([counter(['2xx', 3], ['4xx', 1])], [counter(['2xx', 4], ['5xx', 2])])
  assert.deepEqual(sum, [counter(['2xx', 7], ['4xx', 1], ['5xx', 2])])
})

test('keeps the samples of a histogram separate', () => {
  const seconds = (count: number) => ({
    name: 'seconds',
    type: 'histogram',
    values: [
      { metricName: 'seconds_bucket', labels: { le: '1' }, value: count },
      { metricName: 'seconds_sum', labels: {}, value: count / 2 },
    ],
  })
  assert.deepEqual(addUp([seconds(2)], [seconds(4)]), [seconds(6)])
})

test('drops the gauges of ended workers', () => {
  assert.deepEqual(addUp([], [{ name: 'memory_bytes', type: 'gauge', values: [{ labels: {}, value: 1 }] }]), [])
})
