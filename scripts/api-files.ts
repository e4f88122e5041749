import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

interface Generator {
  default(document: string, options: { emptyObjectsUnknown: boolean }): Promise<object[]>
  astToString(nodes: object[]): string
}

/** What is made from the registered routes and committed: the document, and the types of the client. */
export async function apiFiles(document: unknown): Promise<Record<string, string>> {
  const text = `${JSON.stringify(document, null, 2)}\n`
  const { default: generate, astToString } = await loadGenerator()
  const types = astToString(await generate(text, { emptyObjectsUnknown: true }))
  return { 'openapi.json': text, 'packages/client/src/api.ts': `${heading}${types}` }
}

/** It works with a TypeScript of its own, which the workspace of the client has. */
async function loadGenerator(): Promise<Generator> {
  const { resolve } = createRequire(new URL('../packages/client/package.json', import.meta.url))
  return await import(pathToFileURL(resolve('openapi-typescript').replace(/\.cjs$/, '.mjs')).href)
}

const heading = '// Made from openapi.json by `npm run openapi`.\n\n'
