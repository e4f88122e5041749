import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

const read = (path: string): string => readFileSync(new URL(`../../deploy/${path}`, import.meta.url), 'utf8')

export interface Alert {
  alert: string
  expr: string
  annotations: { summary: string; description: string }
}

export const alerts = (): Alert[] =>
  parse(read('prometheus/alerts.yml')).groups.flatMap((group: { rules: Alert[] }) => group.rules)

export interface AlertTest {
  alertname: string
  exp_alerts: unknown[]
}

export const alertTests = (): AlertTest[] =>
  parse(read('prometheus/alerts.test.yml')).tests.flatMap(
    (one: { alert_rule_test: AlertTest[] }) => one.alert_rule_test,
  )

export interface Panel {
  id: number
  type: string
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { expr: string }[]
}

export const dashboard = (): { uid: string; panels: Panel[]; templating: { list: { definition?: string }[] } } =>
  JSON.parse(read('grafana/dashboard.json'))

/** The dashboard's queries, with values in place of Grafana's variables. */
export const dashboardQueries = (): string[] =>
  dashboard()
    .panels.flatMap(({ targets = [] }) => targets)
    .map(({ expr }) =>
      expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'wardenry').replaceAll('$instance', '.*'),
    )

export interface Selector {
  metric: string
  matchers: { label: string; operator: string; value: string }[]
}

export const selectorsOf = (query: string): Selector[] =>
  [...query.matchAll(/\b(wardenry_\w+)(?:\{([^}]*)\})?/g)].map(([, metric = '', inner = '']) => ({
    metric,
    matchers: [...inner.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)].map(
      ([, label = '', operator = '', value = '']) => ({
        label,
        operator,
        value,
      }),
    ),
  }))

/** The labels that a query groups by. */
export const groupingLabels = (query: string): string[] =>
  [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/,\s*/))
