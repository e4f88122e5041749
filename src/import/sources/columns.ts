import { RecordSchema } from '../record.ts'
import { mapped } from './build-record.ts'
import { flagOf, isRow, memberOf, parsedMember, type Row, textMember, timeOf } from './read-row.ts'
import type { Mapped, UserSourceOptions } from './source.ts'

/** Alternative member names, for files that do not come from a specific system. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  name: ['first_name', 'given_name'],
  last_name: ['family_name', 'surname'],
  user_name: ['username'],
  phone: ['phone_number'],
  is_verified: ['email_verified'],
  lang: ['locale'],
  tmz: ['timezone'],
}

const flags = ['is_verified', 'phone_trusted', 'two_factor', 'first_time']
const times = ['created_at', 'updated_at', 'deleted_at']
const structures = ['metadata', 'identities', 'totp', 'consent', 'blocked']

const members = Object.keys(RecordSchema.properties)

/** Each option is named after a member and specifies the column that contains the member. */
export const columnOptions: Readonly<Record<string, string>> = Object.fromEntries(
  members.map((member) => [member, `name of the column that contains \`${member}\``]),
)

export function fromColumns(row: unknown, options: UserSourceOptions): Mapped {
  if (!isRow(row)) return { problem: 'not an object' }
  const columns = new Map(members.map((member) => [member, columnOf(row, member, options)]))
  const read = members.map((member) => [member, readMember(row, member, columns.get(member) ?? member)])
  const used = new Set(columns.values())
  const unused = Object.keys(row).filter((column) => !used.has(column))
  return mapped(
    Object.fromEntries(read),
    Object.fromEntries(unused.map((column) => [`column ${column.slice(0, 64)}`, memberOf(row, column)])),
  )
}

const columnOf = (row: Row, member: string, options: UserSourceOptions): string | undefined =>
  options[member] ?? [member, ...(aliases[member] ?? [])].find((name) => Object.hasOwn(row, name))

/** A value of an unexpected type is not converted, so that validation rejects the record and names the member. */
function readMember(row: Row, member: string, column: string): unknown {
  const value = memberOf(row, column)
  if (value === undefined || value === null || value === '') return undefined
  if (structures.includes(member)) return parsedMember(row, column) ?? value
  if (flags.includes(member)) return flagOf(row, column) ?? value
  if (times.includes(member)) return timeOf(row, column) ?? value
  return textMember(row, column) ?? (member === 'email' ? undefined : value)
}
