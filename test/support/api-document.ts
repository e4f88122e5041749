import type { TestApp } from './test-app.ts'

interface Paths {
  [path: string]: { [method: string]: { 'x-second-addresses'?: string[] } }
}

/** A running application's OpenAPI document, with alternative paths as separate entries and all references resolved. */
// biome-ignore lint/suspicious/noExplicitAny: the type of the document is not known at compile time.
export async function apiDocument(app: TestApp): Promise<any> {
  const document = (await app.get('/openapi.json')).json
  const paths: Paths = { ...document.paths }
  for (const item of Object.values<Paths[string]>(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      for (const path of operation['x-second-addresses'] ?? []) paths[path] = { ...paths[path], [method]: operation }
    }
  }
  return dereferenced({ ...document, paths }, document)
}

function dereferenced(value: unknown, document: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => dereferenced(item, document))
  if (typeof value !== 'object' || value === null) return value
  const { $ref, ...members } = value as { $ref?: string }
  if ($ref === undefined)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, dereferenced(member, document)]))
  return { ...(dereferenced(resolve($ref, document), document) as object), ...members }
}

/** The target of a reference such as `#/components/schemas/User`. */
export const resolve = (reference: string, document: unknown): unknown =>
  reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], document)
