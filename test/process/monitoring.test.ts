import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { bridgeSecret, call, newDeployment, registerAt } from '../nodes/nodes.ts'
import { startService } from '../support/child.ts'
import { eventually } from '../support/eventually.ts'
import {
  alerts,
  dashboard,
  dashboardQueries,
  groupingLabels,
  type Selector,
  selectorsOf,
} from '../support/monitoring.ts'
import { needsPromtool, runPromtool } from '../support/promtool.ts'

/** Prometheus adds these labels. */
const targetLabels = ['job', 'instance']

const definitions = dashboard().templating.list.flatMap(({ definition }) => definition ?? [])
const queries = [...dashboardQueries(), ...alerts().map(({ expr }) => expr), ...definitions]
const selectors = queries.flatMap(selectorsOf)

type Labels = Record<string, string>

const samplesOf = (page: string): { name: string; labels: Labels }[] =>
  [...page.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)].map(([, name = '', inner = '']) => ({
    name,
    labels: Object.fromEntries([...inner.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, value]) => [label, value])),
  }))

/** Sends a request to each route mentioned in a query so that the metrics include the route. */
async function callRoutes(url: string): Promise<void> {
  const routes = selectors.flatMap(({ matchers }) =>
    matchers
      .filter(({ label, operator }) => label === 'route' && operator === '=~')
      .flatMap(({ value }) => value.split('|')),
  )
  assert.ok(routes.includes('/auth/login'))
  for (const route of new Set(routes)) await call(`${url}${route}`, { body: {} })
  await registerAt(url)
  const events = new AbortController()
  const headers = { 'x-bridge-secret': bridgeSecret }
  const stream = await fetch(`${url}/auth/bridge/events`, { headers, signal: events.signal })
  assert.equal(stream.status, 200)
  events.abort()
}

function matches({ metric, matchers }: Selector, { name, labels }: { name: string; labels: Labels }): boolean {
  if (name !== metric) return false
  return matchers
    .filter(({ label }) => !targetLabels.includes(label))
    .every(({ label, operator, value }) => {
      if (operator === '=') return labels[label] === value
      if (operator === '=~') return new RegExp(`^(?:${value})$`).test(labels[label] ?? '')
      // For `!=` and `!~`, the label must at least exist.
      return label in labels
    })
}

test('a running service has every metric, label and value that the dashboard and the alerts name', async (t) => {
  const service = await startService(newDeployment())
  t.after(() => service.kill())
  await callRoutes(service.url)
  let samples: ReturnType<typeof samplesOf> = []
  // Metrics that require a database query are measured only some time after startup.
  await eventually(async () => {
    samples = samplesOf(await (await fetch(`${service.url}/metrics`)).text())
    return samples.some(({ labels }) => labels.route === '/auth/bridge/events')
  })
  const known = new Map<string, Set<string>>()
  for (const { name, labels } of samples) known.set(name, new Set([...(known.get(name) ?? []), ...Object.keys(labels)]))

  // Selectors for failed requests and for standbys match nothing in this test.
  const isUnseen = (selector: Selector) =>
    selector.matchers.some(({ label, value }) => label === 'status' && value === '5xx')
  for (const selector of selectors) {
    const labels = known.get(selector.metric)
    assert.ok(labels, `${selector.metric} is not a metric`)
    for (const { label } of selector.matchers)
      assert.ok(labels.has(label) || targetLabels.includes(label), `${selector.metric} has no label ${label}`)
    assert.ok(
      isUnseen(selector) || samples.some((sample) => matches(selector, sample)),
      `nothing matches ${JSON.stringify(selector)}`,
    )
  }
  for (const query of queries) {
    const labels = new Set(selectorsOf(query).flatMap(({ metric }) => [...(known.get(metric) ?? [])]))
    for (const label of groupingLabels(query))
      assert.ok(labels.has(label) || targetLabels.includes(label), `${label} in ${query}`)
  }
  const described = [...known.keys()].map((name) => name.replace(/_(bucket|sum|count)$/, ''))
  const shown = new Set(selectors.map(({ metric }) => metric.replace(/_(bucket|sum|count)$/, '')))
  assert.deepEqual(
    described.filter((name) => !shown.has(name)),
    [],
    'every metric is on the dashboard or in an alert',
  )
  const monitoring = readFileSync(new URL('../../docs/operations/monitoring.md', import.meta.url), 'utf8')
  const documented = [...monitoring.matchAll(/`(wardenry_\w+)(?:\{[^`]*\})?`/g)].map(([, name]) => name)
  assert.deepEqual([...new Set(described)].sort(), [...new Set(documented)].sort())
})

test('promtool has no complaints about the metrics', needsPromtool, async (t) => {
  const service = await startService(newDeployment())
  t.after(() => service.kill())
  await registerAt(service.url)
  const { status, output } = runPromtool(['check', 'metrics'], await (await fetch(`${service.url}/metrics`)).text())
  assert.deepEqual([status, output], [0, ''])
})
