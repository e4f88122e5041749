import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

interface Generator {
  default(document: string, options: { emptyObjectsUnknown: boolean }): Promise<object[]>
  astToString(nodes: object[]): string
}

/** The committed files generated from the routes and events: the OpenAPI document, and the packages' types. */
export async function apiFiles(document: unknown): Promise<Record<string, string>> {
  const text = `${JSON.stringify(document, null, 2)}\n`
  const { default: generate, astToString } = await loadGenerator()
  const typesOf = async (described: string) =>
    `${heading}${astToString(await generate(described, { emptyObjectsUnknown: true }))}`
  return {
    'openapi.json': text,
    'packages/client/src/api.ts': await typesOf(text),
    'packages/server/src/event-types.ts': await typesOf(JSON.stringify(eventsOnly(document))),
  }
}

interface Webhook {
  post: { requestBody: { content: { 'application/json': { schema: object } } } }
}

/** Types generated from named schemas have a third of the lines of types generated from webhook operations. */
function eventsOnly(document: unknown) {
  const { webhooks } = document as { webhooks: Record<string, Webhook> }
  const schemas = Object.entries(webhooks).map(([type, { post }]) => [
    type,
    post.requestBody.content['application/json'].schema,
  ])
  const info = { title: 'Events', version: '1' }
  return { openapi: '3.1.0', info, paths: {}, components: { schemas: Object.fromEntries(schemas) } }
}

/** The generator is loaded from the client's workspace, which has the TypeScript version that it needs. */
async function loadGenerator(): Promise<Generator> {
  const { resolve } = createRequire(new URL('../packages/client/package.json', import.meta.url))
  return await import(pathToFileURL(resolve('openapi-typescript').replace(/\.cjs$/, '.mjs')).href)
}

const heading = '// Made from openapi.json by `npm run openapi`.\n\n'
