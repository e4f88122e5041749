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
  readonly #operations = new Map<string, KnownRoute[]>()
  readonly #forms = new Map<string, RegExp>()

  add({ method: methods, url, schema = {} }: Pick<RouteOptions, 'method' | 'url' | 'schema'>, rule: RouteRule): void {
    for (const method of [methods].flat()) {
      const route = { method, url, rule, schema }
      this.routes.push(route)
      // HEAD and the alias PATCH share the operation of their GET and PUT.
      if (schema.operationId && !rule.hidden && method !== 'HEAD')
        this.#operations.set(schema.operationId, [...(this.#operations.get(schema.operationId) ?? []), route])
    }
    this.#forms.set(url, formOf(url))
  }

  /** The method and path of the operation that takes these path parameters. Encodes their values. */
  addressOf(operationId: string, params: Record<string, string>): { method: HTTPMethods; path: string } | undefined {
    const names = Object.keys(params).toSorted().join()
    const found = this.#operations.get(operationId)?.find(({ url }) => parametersOf(url).toSorted().join() === names)
    return found && { method: found.method, path: found.url.replace(parameter, (_, name) => segment(params[name])) }
  }

  at(address: string): KnownRoute[] {
    const path = address.replace(/\?.*$/s, '')
    const urls = new Set([...this.#forms].filter(([, form]) => form.test(path)).map(([url]) => url))
    return this.routes.filter(({ url }) => urls.has(url))
  }

  methodsOf(address: string): string[] {
    return [...new Set(this.at(address).map(({ method }) => method))]
  }
}

const parameter = /:([A-Za-z_]+)/g
const parametersOf = (url: string): string[] => [...url.matchAll(parameter)].map(([, name = '']) => name)
const segment = (value = ''): string => encodeURIComponent(value)

function formOf(url: string): RegExp {
  const source = url
    .replace(/\/$/, '')
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:[A-Za-z_]+/g, '[^/]+')
    .replace(/\\\*$/, '.*')
  return new RegExp(`^${source}/?$`)
}
