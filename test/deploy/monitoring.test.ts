import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { alerts, alertTests, dashboard, dashboardQueries } from '../support/monitoring.ts'
import { needsPromtool, runPromtool } from '../support/promtool.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { folder } from './support.ts'

const manual = readFileSync(new URL('../docs/operations/monitoring.md', folder), 'utf8')
const place = (path: string): string => fileURLToPath(new URL(`prometheus/${path}`, folder))

test('Prometheus accepts the alerts and the scrape configuration', needsPromtool, () => {
  for (const args of [
    ['check', 'rules', place('alerts.yml')],
    ['check', 'config', '--syntax-only', place('prometheus.yml')],
  ]) {
    const { status, output } = runPromtool(args)
    assert.equal(status, 0, output)
  }
})

test('the alerts fire and stay silent as their unit tests say', needsPromtool, () => {
  const { status, output } = runPromtool(['test', 'rules', place('alerts.test.yml')])
  assert.equal(status, 0, output)
})

test('every alert has a unit test in which it fires and one in which it does not', () => {
  const names = alerts().map(({ alert }) => alert)
  assert.equal(new Set(names).size, names.length)
  const tested = (isFiring: boolean) =>
    alertTests()
      .filter(({ exp_alerts }) => exp_alerts.length > 0 === isFiring)
      .map(({ alertname }) => alertname)
  assert.deepEqual([...new Set(tested(true))].sort(), names.toSorted())
  assert.deepEqual([...new Set(tested(false))].sort(), names.toSorted())
})

test('docs/operations/monitoring.md lists every alert', () => {
  const documented = [...manual.matchAll(/^\| `(Wardenry\w+)` \|/gm)].map(([, name]) => name)
  assert.deepEqual(
    documented,
    alerts().map(({ alert }) => alert),
  )
})

test('Prometheus understands every query of the dashboard', needsPromtool, () => {
  const rules = dashboardQueries().map((expr, index) => ({ record: `query:${index}`, expr }))
  assert.ok(rules.length > 30)
  const file = join(temporaryDirectory('dashboard'), 'rules.yml')
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
  const { status, output } = runPromtool(['check', 'rules', file])
  assert.equal(status, 0, output)
})

test('the panels of the dashboard have a title and a query, and do not overlap', () => {
  const { panels } = dashboard()
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
  const taken = new Set<string>()
  for (const { type, title, targets = [], gridPos } of panels) {
    assert.ok(title)
    assert.equal(targets.length > 0, type !== 'row', title)
    assert.ok(gridPos.x + gridPos.w <= 24, title)
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        assert.ok(!taken.has(`${x},${y}`), title)
        taken.add(`${x},${y}`)
      }
    }
  }
  assert.deepEqual(
    panels.filter(({ type }) => type === 'row').map(({ title }) => title),
    [
      'Traffic',
      'Errors',
      'Latency',
      'Sign-ins and rejections',
      'Session cache',
      'Database',
      'Connection pool',
      'Outbox and mail',
      'Webhooks',
      'Jobs and storage',
      'Event loop',
      'Memory',
    ],
  )
})
