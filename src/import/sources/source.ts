import type { ImportRecord } from '../record.ts'
import { isSameName } from './read-row.ts'

/**
 * How a file is split into rows. `jsonl`: one JSON value per line. `json`: one JSON document, in which `rowsOf` finds
 * the users, and `problemOf` says why it has none. `csv`: RFC 4180 with a header. A CSV row is an object whose values are strings.
 */
export type SourceReading =
  | { kind: 'jsonl' }
  | { kind: 'json'; rowsOf(document: unknown): readonly unknown[]; problemOf?(document: unknown): string | undefined }
  | { kind: 'csv' }

export type Mapped =
  /** `lost`: the parts of the row that the import cannot keep, such as `passkeys`. Contains no values. `columns`: the column of each member. */
  | { record: ImportRecord; lost: readonly string[]; columns?: ReadonlyMap<string, string> }
  /** Why the row cannot be imported. Contains no values from the row. `unused`: like `lost`. */
  | { problem: string; unused?: readonly string[] }

/** Values that the export does not contain, such as keys for the hashes: `--option name=value`. */
export type UserSourceOptions = Readonly<Record<string, string>>

/** Returns the member that is read from the column if an option says so, or else the column's name. */
export const memberIn = (options: UserSourceOptions, column: string): string =>
  Object.keys(options).find((member) => isSameName(options[member] ?? '', column)) ?? column

export interface UserSource {
  /** The value of `--from`. */
  name: string
  /** The name of the system, such as `Auth0`. */
  title: string
  /** A command that exports the users as JSON, for the error about a file in another format. */
  jsonCommand?: string
  /** The first kind is the default. If there are several, the file name extension selects one. */
  reading: readonly [SourceReading, ...SourceReading[]]
  /** The names of the options that `toRecord` reads, with their descriptions. */
  options?: Readonly<Record<string, string>>
  /** Why a CSV file with these columns cannot be read. */
  problemOfColumns?(columns: readonly string[], options: UserSourceOptions): string | undefined
  /** Must have no side effects. `row` has not been validated. */
  toRecord(row: unknown, options: UserSourceOptions): Mapped
}
