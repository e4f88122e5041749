import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

interface Generator {
  default(document: string, options: { emptyObjectsUnknown: boolean }): Promise<object[]>
  astToString(nodes: object[]): string
}

/** The committed files that are generated from the registered routes: the document and the client's types. */
export async function apiFiles(document: unknown): Promise<Record<string, string>> {
  const text = `${JSON.stringify(document, null, 2)}\n`
  const { default: generate, astToString } = await loadGenerator()
  const types = astToString(await generate(text, { emptyObjectsUnknown: true }))
  return { 'openapi.json': text, 'packages/client/src/api.ts': `${heading}${types}` }
}

/** The generator needs its own version of TypeScript, which is installed in the client's workspace. */
async function loadGenerator(): Promise<Generator> {
  const { resolve } = createRequire(new URL('../packages/client/package.json', import.meta.url))
  return await import(pathToFileURL(resolve('openapi-typescript').replace(/\.cjs$/, '.mjs')).href)
}

const heading = '// Made from openapi.json by `npm run openapi`.\n\n'
