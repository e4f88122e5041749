import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

interface Generator {
  default(document: string, options: { emptyObjectsUnknown: boolean }): Promise<object[]>
  astToString(nodes: object[]): string
}

const root = join(import.meta.dirname, '..')
const document = join(root, 'openapi.json')

/**
 * Writes the types of the packages, which are generated from `openapi.json`, unless they are up to date. Without the
 * development packages, and in a container image, which is built without the packages, nothing is written.
 */
export async function writeApiTypes(): Promise<void> {
  if (!existsSync(document)) return
  const sources = [document, import.meta.filename]
  const isCurrent = (path: string) => existsSync(path) && sources.every((source) => timeOf(source) < timeOf(path))
  const [client, server] = ['client/src/api.ts', 'server/src/event-types.ts'].map((path) =>
    join(root, 'packages', path),
  )
  if (isCurrent(client!) && isCurrent(server!)) return
  const generator = await loadGenerator()
  if (!generator) return void process.stdout.write('No types: the development packages are not installed.\n')
  const text = readFileSync(document, 'utf8')
  writeFileSync(client!, await typesOf(generator, text))
  writeFileSync(server!, await typesOf(generator, JSON.stringify(eventsOnly(JSON.parse(text)))))
}

const timeOf = (path: string): number => statSync(path).mtimeMs

const typesOf = async ({ default: generate, astToString }: Generator, described: string): Promise<string> =>
  `// Generated from openapi.json by scripts/api-types.ts.\n\n${astToString(await generate(described, { emptyObjectsUnknown: true }))}`

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
async function loadGenerator(): Promise<Generator | undefined> {
  const { resolve } = createRequire(join(root, 'packages/client/package.json'))
  try {
    return await import(pathToFileURL(resolve('openapi-typescript').replace(/\.cjs$/, '.mjs')).href)
  } catch {
    return undefined
  }
}

if (import.meta.main) await writeApiTypes()
