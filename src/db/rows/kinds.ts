import type { ColumnType, Generated } from 'kysely'

export type JsonObject = Record<string, unknown>

export type GeneratedColumns<Columns> = { [Name in keyof Columns]: Generated<Columns[Name]> }

/** JSON is written as text because the driver would convert arrays to PostgreSQL arrays. */
export type JsonText<Value> = ColumnType<Value, string, string>
