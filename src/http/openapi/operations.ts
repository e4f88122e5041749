import type { KnownRoute } from '../server/route-table.ts'

declare module 'fastify' {
  interface FastifySchema {
    operationId?: string
  }
}

export interface ApiOperation {
  route: KnownRoute
  secondAddresses: string[]
}

export function withFirstAddresses(routes: readonly KnownRoute[]): ApiOperation[] {
  const operations = new Map<string, ApiOperation>()
  for (const route of routes) {
    if (route.rule.hidden || route.method === 'HEAD') continue
    const id = route.schema.operationId ?? `${route.method} ${route.url}`
    const known = operations.get(id)
    if (known) known.secondAddresses.push(pathInBraces(route.url))
    else operations.set(id, { route, secondAddresses: [] })
  }
  return [...operations.values()]
}

export const pathInBraces = (url: string): string => url.replace(/:(\w+)/g, '{$1}')
