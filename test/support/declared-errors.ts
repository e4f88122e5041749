import type { App } from '../../src/app.ts'
import { errorsOf } from '../../src/http/openapi/errors-of.ts'
import { routesOf } from '../../src/http/server/create-server.ts'
import type { KnownRoute } from '../../src/http/server/route-table.ts'
import type { ErrorCode } from '../../src/lib/errors.ts'

interface Answered {
  method: string
  url: string
  status: number
  code: ErrorCode
}

/** Errors that every route can return for requests that are unreadable, too large or in the wrong format. */
const beforeRoutes = new Set(['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'METHOD_NOT_ALLOWED', 'VALIDATION_ERROR'])

/** Throws if the API description does not list this error for the route. Called for each response in the tests. */
export function assertDeclared(app: Pick<App, 'http'>, { method, url, status, code }: Answered): void {
  const route = routeAt(routesOf(app.http), method, url.replace(/\?.*$/s, ''))
  if (!route || route.rule.hidden || beforeRoutes.has(code)) return
  if (code === 'NOT_FOUND' && isRefusedByRouter(url)) return
  if (errorsOf(route).get(status)?.includes(code)) return
  throw new Error(
    `${method} ${route.url} answered ${status} ${code}, which its schema does not declare: add it to \`errors\` of ${route.schema.operationId}`,
  )
}

/** Whether the router rejects the path because a segment is too long or cannot be decoded. */
const isRefusedByRouter = (url: string): boolean => /[^\w./~-]|[^/]{201}/.test(url.replace(/\?.*$/s, ''))

/** Many tests send each path again and again. */
const known = new WeakMap<readonly KnownRoute[], Map<string, KnownRoute | undefined>>()

function routeAt(routes: readonly KnownRoute[], method: string, path: string): KnownRoute | undefined {
  const cache = known.get(routes) ?? new Map()
  known.set(routes, cache)
  const key = `${method} ${path}`
  if (!cache.has(key)) cache.set(key, findRoute(routes, method, path))
  return cache.get(key)
}

function findRoute(routes: readonly KnownRoute[], method: string, path: string): KnownRoute | undefined {
  const isAt = ({ url }: KnownRoute) => formOf(url).test(path)
  const found = routes.filter((route) => route.method === method && isAt(route))
  // Like the router, prefers a path without parameters.
  return found.find(({ url }) => !url.includes(':')) ?? found.find(({ url }) => url === path) ?? found[0]
}

const forms = new Map<string, RegExp>()

function formOf(url: string): RegExp {
  const known = forms.get(url) ?? new RegExp(`^${url.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}/?$`)
  forms.set(url, known)
  return known
}
