import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

interface Generator {
  default(document: string, options: { emptyObjectsUnknown: boolean }): Promise<object[]>
  astToString(nodes: object[]): string
}

/** The committed files generated from the routes: the OpenAPI document and the client package's types. */
export async function apiFiles(document: unknown): Promise<Record<string, string>> {
  const text = `${JSON.stringify(document, null, 2)}\n`
  const { default: generate, astToString } = await loadGenerator()
  const types = astToString(await generate(text, { emptyObjectsUnknown: true }))
  return { 'openapi.json': text, 'packages/client/src/api.ts': `${heading}${types}` }
}

/** The generator is loaded from the client's workspace, which has the TypeScript version that it needs. */
async function loadGenerator(): Promise<Generator> {
  const { resolve } = createRequire(new URL('../packages/client/package.json', import.meta.url))
  return await import(pathToFileURL(resolve('openapi-typescript').replace(/\.cjs$/, '.mjs')).href)
}

const heading = '// Made from openapi.json by `npm run openapi`.\n\n'
