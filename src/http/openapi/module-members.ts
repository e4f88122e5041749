import type { ModuleColumn } from '../../context.ts'

interface Node {
  schema?: Record<string, unknown>
  name?: unknown
  properties?: Record<string, unknown>
  additionalProperties?: unknown
  'x-module-columns'?: true
}

export function withModuleMembers(value: unknown, columns: readonly ModuleColumn[]): unknown {
  if (Array.isArray(value)) {
    return value.filter((item) => exists(item, columns)).map((item) => withModuleMembers(item, columns))
  }
  if (typeof value !== 'object' || value === null) return value
  const { 'x-module-columns': takesColumns, ...node } = value as Node
  if (takesColumns) delete node.additionalProperties
  const members = Object.fromEntries(
    Object.entries(node).map(([name, member]) => [name, withModuleMembers(member, columns)]),
  )
  if (!takesColumns) return members
  const added = Object.fromEntries(columns.map(({ name, schema }) => [name, schema]))
  return { ...members, properties: { ...(members.properties as object), ...added } }
}

function exists(item: Node | null, columns: readonly ModuleColumn[]): boolean {
  if (item?.schema?.['x-module-column'] !== true) return true
  return columns.some(({ name, filter }) => filter && name === item.name)
}
