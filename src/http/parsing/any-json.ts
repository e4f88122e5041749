import type { Http, Routes } from '../server/create-server.ts'

/** Registers routes whose bodies are JSON whatever they are said to be: published clients say all kinds of things. */
export function takeAnyAsJson(http: Http, routes: Routes): void {
  http.register(async (scope) => {
    scope.addHook('onRequest', async ({ headers }) => {
      headers['content-type'] = 'application/json'
    })
    routes(scope)
  })
}
