import Type from 'typebox'
import { Check } from 'typebox/value'
import type { BackupEnd, BackupHeader } from './format.ts'

/** Without control characters, because names are shown in the terminal before the checksums are verified. */
const name = Type.String({ pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' })

const listOf = (...names: string[]) => Type.Array(Type.Object(Object.fromEntries(names.map((one) => [one, name]))))

/** Additional members are allowed because later versions may add members without changing the format version. */
const Header = Type.Object({
  id: Type.Intersect([name, Type.String({ minLength: 1 })]),
  created_at: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' }),
  wardenry: name,
  migrations: Type.Array(
    Type.Object({ version: Type.Integer(), name, checksum: Type.String(), applied_at: Type.String() }),
  ),
  modules: listOf('module_id', 'component_id', 'version'),
  tables: Type.Array(Type.Object({ name, columns: listOf('name', 'type') })),
  pictures: Type.String(),
  secrets: Type.Object({
    salt: Type.String(),
    AUTH_SECRET: Type.String(),
    DATA_KEYS: listOf('name', 'fingerprint'),
    PEPPERS: listOf('name', 'fingerprint'),
  }),
})

const End = Type.Object({
  parts: Type.Array(Type.Object({ part: name, count: Type.Integer(), bytes: Type.Integer(), sha256: Type.String() })),
  missing_pictures: Type.Integer(),
  sha256: Type.String(),
})

export const isHeader = (value: unknown): value is BackupHeader =>
  Check(Header, value) && [value.created_at, ...value.migrations.map(({ applied_at }) => applied_at)].every(isDate)

const isDate = (text: string): boolean => !Number.isNaN(Date.parse(text))

export const isEnd = (value: unknown): value is BackupEnd => Check(End, value)
