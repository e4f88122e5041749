import type { HTTPMethods, RouteOptions } from 'fastify'
import type { RouteRule } from '../access/route-rules.ts'

export interface KnownRoute {
  method: HTTPMethods
  url: string
  rule: RouteRule
  schema: NonNullable<RouteOptions['schema']>
}

export class RouteTable {
  readonly routes: KnownRoute[] = []
  readonly #operations = new Map<string, KnownRoute>()
  readonly #patterns = new Map<string, { start: string; pattern: RegExp }>()

  add({ method: methods, url, schema = {} }: Pick<RouteOptions, 'method' | 'url' | 'schema'>, rule: RouteRule): void {
    for (const method of [methods].flat()) {
      const route = { method, url, rule, schema }
      this.routes.push(route)
      // HEAD and the alias PATCH share the operation of their GET and PUT.
      if (!schema.operationId || rule.hidden || method === 'HEAD') continue
      const key = operationKey(schema.operationId, parameterNames(url))
      if (!this.#operations.has(key)) this.#operations.set(key, route)
    }
    this.#patterns.set(url, { start: startOf(url), pattern: patternOf(url) })
  }

  /** An operation can have several paths. Returns the first with exactly these parameters, whose values it encodes. */
  addressOf(operationId: string, params: Record<string, string>): { method: HTTPMethods; path: string } | undefined {
    const found = this.#operations.get(operationKey(operationId, Object.keys(params)))
    return found && { method: found.method, path: found.url.replace(parameter, (_, name) => segment(params[name])) }
  }

  at(address: string): KnownRoute[] {
    const path = address.replace(/\?.*$/s, '')
    const urls = new Set<string>()
    // Called for each request with an unknown path or method. Few paths have the same beginning.
    for (const [url, { start, pattern }] of this.#patterns)
      if (path.startsWith(start) && pattern.test(path)) urls.add(url)
    return urls.size === 0 ? [] : this.routes.filter(({ url }) => urls.has(url))
  }

  methodsOf(address: string): string[] {
    return [...new Set(this.at(address).map(({ method }) => method))]
  }
}

const parameter = /:([A-Za-z_]+)/g
const parameterNames = (url: string): string[] => [...url.matchAll(parameter)].map(([, name = '']) => name)
const operationKey = (id: string, parameters: string[]): string => [id, ...parameters.toSorted()].join(' ')
const segment = (value = ''): string => encodeURIComponent(value)

/** The part before the first parameter, without a slash at the end. */
const startOf = (url: string): string => url.replace(/[:*].*$/s, '').replace(/\/$/, '')

function patternOf(url: string): RegExp {
  const source = url
    .replace(/\/$/, '')
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(parameter, '[^/]+')
    .replace(/\\\*$/, '.*')
  return new RegExp(`^${source}/?$`)
}
