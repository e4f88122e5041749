import { isDeepStrictEqual } from 'node:util'

interface Schema {
  [member: string]: unknown
}

interface Document {
  components: { schemas: Record<string, Schema> }
  paths: Record<string, Record<string, { operationId: string }>>
}

/** Untitled schemas that occur repeatedly are named after their first location. */
export function withNamedSchemas(value: unknown): object {
  const { paths, ...document } = value as Document
  const named = new Map<string, Schema>()
  for (const schema of Object.values(document.components.schemas)) referToTitles(schema, named)
  const withTitles = referToTitles(paths, named) as Document['paths']
  const repeated = repeatedShapes([withTitles, ...named.values()], named)
  const operations = Object.values(withTitles).flatMap((item) => Object.values(item))
  const schemas = [...named].map(([name, schema]) => [name, referToRepeated(schema, name, repeated, true)] as const)
  for (const operation of operations) {
    const replaced = referToRepeated(operation, startWithCapital(operation.operationId), repeated)
    Object.assign(operation, replaced)
  }
  const all = [...schemas, ...repeated.found].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(all) }, paths: withTitles }
}

/** These members contain data. A `title` in one of them does not name a schema. */
const dataMembers = new Set(['example', 'examples', 'default', 'enum', 'const', 'required'])

const mapMembers = (schema: Schema, map: (member: unknown, name: string) => unknown): Schema =>
  Object.fromEntries(
    Object.entries(schema).map(([name, member]) => [name, dataMembers.has(name) ? member : map(member, name)]),
  )

function referToTitles(value: unknown, named: Map<string, Schema>): unknown {
  if (Array.isArray(value)) return value.map((item) => referToTitles(item, named))
  if (typeof value !== 'object' || value === null) return value
  const input = withOwnKeywords(value as Schema)
  const { title, ...untitled } = input
  if (typeof title !== 'string') return mapMembers(input, (member) => referToTitles(member, named))
  const schema = mapMembers(untitled, (member) => referToTitles(member, named))
  const { description, ...shape } = schema
  const { description: known, ...knownShape } = named.get(title) ?? schema
  if (!isDeepStrictEqual(shape, knownShape)) throw new Error(`two different schemas have the title ${title}`)
  if (!named.has(title)) named.set(title, schema)
  return { $ref: refTo(title), ...(description !== known && { description }) }
}

function withOwnKeywords({ $id, aliases, keepNull, ...input }: Schema): Schema {
  if ($id !== undefined && typeof $id !== 'string') input.$id = $id
  if (keepNull !== undefined && typeof keepNull !== 'boolean') input.keepNull = keepNull
  if (aliases === undefined) return input
  if (!Array.isArray(aliases)) return { ...input, aliases }
  return aliases.length > 0 ? { ...input, 'x-aliases': aliases } : input
}

interface RepeatedSchema {
  keys: Set<string>
  names: Map<string, string>
  found: Map<string, Schema>
}

const isShape = (schema: Schema): boolean => schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0

const keyOf = ({ description: _text, ...shape }: Schema): string => JSON.stringify(shape)

function repeatedShapes(parts: unknown[], named: ReadonlyMap<string, Schema>): RepeatedSchema {
  const counts = new Map<string, number>()
  const count = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if (!Array.isArray(value) && isShape(value as Schema)) {
      const key = keyOf(value as Schema)
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    for (const [name, member] of Object.entries(value)) if (!dataMembers.has(name)) count(member)
  }
  for (const part of parts) count(part)
  const keys = new Set([...counts].filter(([, times]) => times > 1).map(([key]) => key))
  const names = new Map([...named].map(([name, schema]) => [keyOf(schema), name]))
  return { keys, names, found: new Map() }
}

const unspoken = new Set([
  'properties',
  'items',
  'anyOf',
  'allOf',
  'content',
  'application/json',
  'schema',
  'responses',
])
const spoken: Record<string, string> = { requestBody: 'Body', 200: 'Reply' }

function referToRepeated(value: unknown, place: string, repeated: RepeatedSchema, isNamed = false): unknown {
  const inside = (member: unknown, name: string) =>
    referToRepeated(member, unspoken.has(name) ? place : `${place}${spoken[name] ?? inPascalCase(name)}`, repeated)
  if (Array.isArray(value)) return value.map((item) => referToRepeated(item, place, repeated))
  if (typeof value !== 'object' || value === null) return value
  const schema = value as Schema
  const key = isShape(schema) ? keyOf(schema) : ''
  if (isNamed || !repeated.keys.has(key)) return mapMembers(schema, inside)
  const name = repeated.names.get(key) ?? place
  if (!repeated.names.has(key)) {
    repeated.names.set(key, name)
    repeated.found.set(name, mapMembers(schema, inside))
  }
  return { $ref: refTo(name) }
}

const refTo = (name: string): string => `#/components/schemas/${name}`

const startWithCapital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

const inPascalCase = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map(startWithCapital)
    .join('')
