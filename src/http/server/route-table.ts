import type { RouteOptions } from 'fastify'
import type { RouteRule } from '../access/route-rules.ts'

export interface KnownRoute {
  method: string
  url: string
  rule: RouteRule
  schema: NonNullable<RouteOptions['schema']>
}

export class RouteTable {
  readonly routes: KnownRoute[] = []
  readonly #forms = new Map<string, RegExp>()

  add({ method: methods, url, schema = {} }: Pick<RouteOptions, 'method' | 'url' | 'schema'>, rule: RouteRule): void {
    for (const method of [methods].flat()) this.routes.push({ method, url, rule, schema })
    this.#forms.set(url, formOf(url))
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

function formOf(url: string): RegExp {
  const source = url
    .replace(/\/$/, '')
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:[A-Za-z_]+/g, '[^/]+')
    .replace(/\\\*$/, '.*')
  return new RegExp(`^${source}/?$`)
}
