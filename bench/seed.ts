import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { sha256Bytes } from '../src/lib/hash.ts'
import { newId, newSessionToken } from '../src/lib/ids.ts'

/** Users and sessions as the service stores them. */
export interface Population {
  emails: string[]
  bearers: string[]
}

/**
 * Creates this many users with one session each. All share one password hash because computing ten thousand would take
 * minutes.
 */
export async function seed(databaseUrl: string, count: number, passwordHash: string): Promise<Population> {
  const people = Array.from({ length: count }, () => {
    const name = `user_${randomBytes(5).toString('hex')}`
    return { id: newId(), session: newId(), name, email: `${name}@example.com`, sessionToken: newSessionToken() }
  })
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(
      `INSERT INTO users (id, email, user_name, password_hash, name, last_name, is_verified, first_time, created_at, updated_at)
       SELECT id, email, name, $4, 'Ada', 'Lovelace', true, false, now(), now() FROM unnest($1::uuid[], $2::text[], $3::text[]) AS p (id, email, name)`,
      [people.map(({ id }) => id), people.map(({ email }) => email), people.map(({ name }) => name), passwordHash],
    )
    await client.query(
      `INSERT INTO sessions (id, token_hash, user_id, status, created_at, started_at, last_used_at, proved_at, ip_address, user_agent, user_device)
       SELECT session, hash, id, 'active', now(), now(), now(), now(), '198.51.100.7', $4, 'Chrome on macOS'
       FROM unnest($1::uuid[], $2::bytea[], $3::uuid[]) AS p (session, hash, id)`,
      [
        people.map(({ session }) => session),
        people.map(({ sessionToken }) => sha256Bytes(sessionToken)),
        people.map(({ id }) => id),
        userAgent,
      ],
    )
    await client.query('ANALYZE users, sessions')
  } finally {
    await client.end()
  }
  return { emails: people.map(({ email }) => email), bearers: people.map(({ sessionToken }) => sessionToken) }
}

const userAgent =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
