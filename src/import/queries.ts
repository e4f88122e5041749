import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../db/tables.ts'
import type { UserBlock } from '../users/block-queries.ts'
import type { PasskeyRow } from '../webauthn/queries.ts'

export type ImportedUserRow = Pick<Selectable<Tables['users']>, keyof typeof userColumns>

export type IdentityRow = Selectable<Tables['social_accounts']>

export interface ExistingUser {
  id: string
  email: string
  user_name: string
  phone: string | null
  external_id: string | null
}

/** Includes deleted users. */
export async function findExistingUsers(db: Db, rows: readonly ImportedUserRow[]): Promise<ExistingUser[]> {
  const { rows: found } = await sql<ExistingUser>`
    ${holdersOf(
      'id',
      'uuid',
      rows.map(({ id }) => id),
    )}
    UNION ${holdersOf(
      'email',
      'text',
      rows.map(({ email }) => email),
    )}
    UNION ${holdersOf(
      'lower(user_name) COLLATE "C"',
      'text',
      rows.map(({ user_name }) => user_name.toLowerCase()),
    )}
    UNION ${holdersOf('phone', 'text', present(rows.map(({ phone }) => phone)))}
    UNION ${holdersOf('external_id', 'text', present(rows.map(({ external_id }) => external_id)))}`.execute(db)
  return found
}

/**
 * OFFSET 0 makes PostgreSQL look up each value in the index. For many values, it would otherwise read the whole table.
 */
const holdersOf = (column: string, type: string, values: readonly string[]) =>
  sql`SELECT holders.* FROM unnest(${[...values]}::${sql.raw(type)}[]) AS value CROSS JOIN LATERAL (
    SELECT id, email, lower(user_name) COLLATE "C" AS user_name, phone, external_id FROM users
    WHERE ${sql.raw(column)} = value OFFSET 0) AS holders`

const present = (values: readonly (string | null)[]): string[] => values.filter((value) => value !== null)

const userColumns = {
  id: 'uuid',
  external_id: 'text',
  email: 'text',
  user_name: 'text',
  phone: 'text',
  phone_trusted: 'boolean',
  password_hash: 'text',
  user_type: 'text',
  name: 'text',
  last_name: 'text',
  display_name: 'text',
  title: 'text',
  gender: 'text',
  dob: 'text',
  picture: 'text',
  lang: 'text',
  tmz: 'text',
  metadata: 'jsonb',
  is_verified: 'boolean',
  two_factor: 'boolean',
  first_time: 'boolean',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  deleted_at: 'timestamptz',
} as const

const identityColumns = {
  id: 'uuid',
  user_id: 'uuid',
  provider: 'text',
  issuer: 'text',
  subject: 'text',
  email: 'text',
  name: 'text',
  picture: 'text',
  linked_at: 'timestamptz',
  last_used_at: 'timestamptz',
} as const satisfies Record<keyof IdentityRow, string>

const passkeyColumns = {
  id: 'uuid',
  user_id: 'uuid',
  created_at: 'timestamptz',
  last_used_at: 'timestamptz',
  sign_count: 'bigint',
  discoverable: 'boolean',
  uv_seen: 'boolean',
  be: 'boolean',
  bs: 'boolean',
  credential_id: 'bytea',
  public_key: 'bytea',
  transports: 'text[]',
  aaguid: 'uuid',
  name: 'text',
  created_via: 'text',
} as const satisfies Record<keyof PasskeyRow, string>

const blockColumns = { user_id: 'uuid', since: 'timestamptz', until: 'timestamptz', reason: 'text' } as const

/** Returns the ids of the inserted users. All other rows conflict with existing users. */
export const insertImportedUsers = (db: Db, rows: readonly ImportedUserRow[]): Promise<string[]> =>
  insertRows(db, { table: 'users', columns: userColumns, returned: 'id' }, rows)

/** Returns the user id of each inserted identity. */
export const insertImportedIdentities = (db: Db, rows: readonly IdentityRow[]): Promise<string[]> =>
  insertRows(db, { table: 'social_accounts', columns: identityColumns, returned: 'user_id' }, rows)

export const insertImportedBlocks = (db: Db, rows: readonly UserBlock[]): Promise<string[]> =>
  insertRows(db, { table: 'user_blocks', columns: blockColumns, returned: 'user_id' }, rows)

/** Returns the user id of each inserted passkey. The other passkeys belong to other users. */
export const insertImportedPasskeys = (db: Db, rows: readonly PasskeyRow[]): Promise<string[]> =>
  insertRows(
    db,
    { table: 'passkeys', columns: passkeyColumns, returned: 'user_id' },
    rows.map(({ credential_id, public_key, ...row }) => ({
      ...row,
      credential_id: inHex(credential_id),
      public_key: inHex(public_key),
    })),
  )

const inHex = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`

/** Returns those of the credential ids that a user has, in hexadecimal digits. */
export async function findTakenCredentials(db: Db, ids: readonly Buffer[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const given = ids.map((id) => id.toString('hex'))
  const { rows } = await sql<{ id: string }>`SELECT encode(credential_id, 'hex') AS id FROM passkeys
    WHERE credential_id IN (SELECT decode(value, 'hex') FROM unnest(${given}::text[]) AS value)`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

interface ImportTable {
  table: string
  /** Names and types. */
  columns: Readonly<Record<string, string>>
  returned: string
}

/** Sends all rows as one JSON text, because a statement can have at most 65,535 parameters. */
async function insertRows(
  db: Db,
  { table, columns, returned }: ImportTable,
  rows: readonly object[],
): Promise<string[]> {
  if (rows.length === 0) return []
  const names = sql.join(Object.keys(columns).map((name) => sql.id(name)))
  const types = sql.join(Object.entries(columns).map(([name, type]) => sql`${sql.id(name)} ${sql.raw(type)}`))
  const { rows: inserted } = await sql<{ id: string }>`INSERT INTO ${sql.table(table)} (${names})
    SELECT ${names} FROM json_to_recordset(${JSON.stringify(rows)}::json) AS rows (${types})
    ON CONFLICT DO NOTHING RETURNING ${sql.id(returned)} AS id`.execute(db)
  return inserted.map(({ id }) => id)
}

const exported = Object.keys(userColumns)

/** Returns the next users after the id `after`, including deleted ones, ordered by id. */
export async function findUsersToExport(db: Db, after: string, limit: number): Promise<ImportedUserRow[]> {
  const { rows } = await sql<ImportedUserRow>`SELECT ${sql.join(exported.map((name) => sql.id(name)))} FROM users
    WHERE id > ${after}::uuid ORDER BY id LIMIT ${limit}`.execute(db)
  return rows
}

export const findIdentitiesToExport = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('social_accounts')
    .select(['user_id', 'provider', 'issuer', 'subject', 'email', 'name', 'picture', 'linked_at', 'last_used_at'])
    .where('user_id', 'in', [...ids])
    .orderBy('provider')
    .execute()

export const findPasskeysToExport = (db: Db, ids: readonly string[]): Promise<PasskeyRow[]> =>
  db
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', 'in', [...ids])
    .orderBy('created_at')
    .orderBy('credential_id')
    .execute()
