import Type from 'typebox'
import { Check } from 'typebox/value'
import type { BackupEnd, BackupHeader } from './format.ts'

const listOf = (...names: string[]) =>
  Type.Array(Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()]))))

/** Additional members are allowed, because later versions may add some to the same format. */
const Header = Type.Object({
  id: Type.String({ minLength: 1 }),
  created_at: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' }),
  wardenry: Type.String(),
  migrations: Type.Array(
    Type.Object({ version: Type.Integer(), name: Type.String(), checksum: Type.String(), applied_at: Type.String() }),
  ),
  modules: listOf('module_id', 'component_id', 'version'),
  tables: Type.Array(Type.Object({ name: Type.String(), columns: listOf('name', 'type') })),
  pictures: Type.String(),
  secrets: Type.Object({
    salt: Type.String(),
    AUTH_SECRET: Type.String(),
    DATA_KEYS: listOf('name', 'fingerprint'),
    PEPPERS: listOf('name', 'fingerprint'),
  }),
})

const End = Type.Object({
  parts: Type.Array(
    Type.Object({ part: Type.String(), count: Type.Integer(), bytes: Type.Integer(), sha256: Type.String() }),
  ),
  missing_pictures: Type.Integer(),
  sha256: Type.String(),
})

export const isHeader = (value: unknown): value is BackupHeader =>
  Check(Header, value) && [value.created_at, ...value.migrations.map(({ applied_at }) => applied_at)].every(isDate)

const isDate = (text: string): boolean => !Number.isNaN(Date.parse(text))

export const isEnd = (value: unknown): value is BackupEnd => Check(End, value)
