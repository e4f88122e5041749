import type { ColumnType, Generated } from 'kysely'

export type Json = Record<string, unknown>

/** Columns that a module brings to the table of another, with a default each. */
export type GeneratedColumns<Columns> = { [Name in keyof Columns]: Generated<Columns[Name]> }

/** Written as text, for the driver takes a list in JavaScript for one of PostgreSQL. */
export type JsonText<Value> = ColumnType<Value, string, string>
