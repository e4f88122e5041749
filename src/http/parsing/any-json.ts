import type { DeclareRoutes, HttpServer } from '../server/create-server.ts'

/** Accepts any content type as JSON, because published clients send various ones. */
export function takeAnyAsJson(http: HttpServer, routes: DeclareRoutes): void {
  http.register(async (scope) => {
    scope.addHook('onRequest', async ({ headers }) => {
      headers['content-type'] = 'application/json'
    })
    routes(scope)
  })
}
