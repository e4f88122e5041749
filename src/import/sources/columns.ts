import { RecordSchema } from '../record.ts'
import { mapped } from './build-record.ts'
import {
  flagOf,
  isRow,
  isSameName,
  memberOf,
  parsedMember,
  plainName,
  type Row,
  textMember,
  timeOf,
} from './read-row.ts'
import type { Mapped, UserSourceOptions } from './source.ts'

/** Alternative member names, for files that do not come from a specific system. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  email: ['email_address'],
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
const structures = ['metadata', 'identities', 'passkeys', 'totp', 'consent', 'blocked']

const members = Object.keys(RecordSchema.properties)

/** Each option is named after a member and specifies the column that contains the member. */
export const columnOptions: Readonly<Record<string, string>> = Object.fromEntries(
  members.map((member) => [member, `name of the column that contains \`${member}\``]),
)

export function fromColumns(row: unknown, options: UserSourceOptions): Mapped {
  if (!isRow(row)) return { problem: 'not an object' }
  const columns = columnsOf(Object.keys(row), options)
  const read = members.map((member) => [member, readMember(row, member, columns.get(member) ?? member)])
  const used = new Set(columns.values())
  const unused = Object.keys(row).filter((column) => !used.has(column))
  const result = mapped(
    Object.fromEntries(read),
    Object.fromEntries(unused.map((column) => [`column ${column.slice(0, 64)}`, memberOf(row, column)])),
  )
  return 'record' in result ? { ...result, columns } : result
}

/** Each misnamed option is an error, because the import would leave out a column that was asked for. */
export function problemOfColumns(names: readonly string[], options: UserSourceOptions): string | undefined {
  const listed = `The columns are: ${names.map((name) => name.slice(0, 64)).join(', ')}.`
  const missing = Object.entries(options).find(([, column]) => !names.some((name) => isSameName(name, column)))
  if (missing) return `there is no column ${missing[1]} (--option ${missing.join('=')}). ${listed}`
  if (columnsOf(names, options).has('email')) return undefined
  return `no column is named email. ${listed} Name the one with the email address: --option email=<column>`
}

/** Maps members to columns. A column with exactly the name of the member comes first. */
function columnsOf(names: readonly string[], options: UserSourceOptions): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const exact = new Set(names)
  // In reverse, because the first of several columns with the same name counts.
  const others = names.filter((name) => !known.has(name)).toReversed()
  const similar = new Map(others.map((name) => [plainName(name), name]))
  for (const member of members) {
    const option = options[member]
    const wanted = option === undefined ? namesOf(member) : [option]
    const column =
      wanted.find((name) => exact.has(name)) ??
      wanted.map((name) => similar.get(plainNames.get(name) ?? plainName(name))).find((name) => name !== undefined)
    if (column !== undefined) found.set(member, column)
  }
  return found
}

const namesOf = (member: string): string[] => [member, ...(aliases[member] ?? [])]

const known: ReadonlySet<string> = new Set(members.flatMap(namesOf))

/** Computed once, because every row of a large file is read. */
const plainNames: ReadonlyMap<string, string> = new Map([...known].map((name) => [name, plainName(name)]))

/** A value of an unexpected type is not converted, so that validation rejects the record and names the member. */
function readMember(row: Row, member: string, column: string): unknown {
  const value = memberOf(row, column)
  if (value === undefined || value === null || value === '') return undefined
  if (member === 'roles') return rolesOf(parsedMember(row, column) ?? value)
  if (structures.includes(member)) return parsedMember(row, column) ?? value
  if (flags.includes(member)) return flagOf(row, column) ?? value
  if (times.includes(member)) return timeOf(row, column) ?? value
  return textMember(row, column) ?? (member === 'email' ? undefined : value)
}

/** Also names separated by commas, as in an export of the console. */
const rolesOf = (value: unknown): unknown =>
  typeof value === 'string' ? value.split(',').map((name) => name.trim()) : value
