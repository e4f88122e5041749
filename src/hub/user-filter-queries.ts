import { sql } from 'kysely'
import type { ModuleColumn, UserFilter } from '../context.ts'
import type { ModuleDefinition } from './define-module.ts'

export const filtersOf = (
  { userColumns, userFilters }: Pick<ModuleDefinition, 'userColumns' | 'userFilters'>,
  componentId: string,
): readonly UserFilter[] => [
  ...(userColumns?.[componentId] ?? []).flatMap((column) =>
    column.filter ? [columnFilter(column, column.filter)] : [],
  ),
  ...(userFilters?.[componentId] ?? []),
]

/** NULL is treated as `unset`. */
const columnFilter = (
  { name, unset }: ModuleColumn,
  { schema, read }: NonNullable<ModuleColumn['filter']>,
): UserFilter => ({
  name,
  schema,
  condition(input) {
    const value = read?.(input) ?? input
    return value === unset
      ? sql<boolean>`(${sql.ref(name)} = ${value} OR ${sql.ref(name)} IS NULL)`
      : sql<boolean>`${sql.ref(name)} = ${value}`
  },
})
