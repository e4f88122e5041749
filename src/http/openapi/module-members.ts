import type { ModuleColumn, UserFilter } from '../../context.ts'

interface Node {
  schema?: Record<string, unknown>
  name?: unknown
  properties?: Record<string, unknown>
  additionalProperties?: unknown
  'x-module-columns'?: true
}

export function withModuleMembers(
  value: unknown,
  columns: readonly ModuleColumn[],
  filters: readonly UserFilter[],
): unknown {
  if (Array.isArray(value)) {
    return value.filter((item) => exists(item, filters)).map((item) => withModuleMembers(item, columns, filters))
  }
  if (typeof value !== 'object' || value === null) return value
  const { 'x-module-columns': takesColumns, ...node } = value as Node
  if (takesColumns) delete node.additionalProperties
  const members = Object.fromEntries(
    Object.entries(node).map(([name, member]) => [name, withModuleMembers(member, columns, filters)]),
  )
  if (!takesColumns) return members
  const added = Object.fromEntries(columns.map(({ name, schema }) => [name, schema]))
  return { ...members, properties: { ...(members.properties as object), ...added } }
}

function exists(item: Node | null, filters: readonly UserFilter[]): boolean {
  if (item?.schema?.['x-module-filter'] !== true) return true
  return filters.some(({ name }) => name === item.name)
}
