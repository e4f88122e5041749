import pg from 'pg'
import type { Stage } from './stage.ts'

export const addressesEach = 5

/** Stores applications with five addresses each, as many as `count`, in addition to those that exist. */
export async function seedApplications(databaseUrl: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(
      `INSERT INTO applications (id, created_at, updated_at, is_enabled, is_development, key, name, kind)
       SELECT gen_random_uuid(), now(), now(), true, false, 'shop-' || n, 'Shop ' || n, 'website'
       FROM generate_series(1, $1::int) n`,
      [count],
    )
    await client.query(
      `INSERT INTO application_addresses (application_id, kind, position, address)
       SELECT id, CASE n WHEN 1 THEN 'origin' ELSE 'return' END, n,
         'https://' || key || '.example.com' || CASE n WHEN 1 THEN '' ELSE '/path-' || n END
       FROM applications, generate_series(1, $1::int) n`,
      [addressesEach],
    )
    await client.query('ANALYZE applications, application_addresses')
  } finally {
    await client.end()
  }
}

/** Makes the first seeded user a superadmin. Returns the session token of a new sign-in. */
export async function signInSuperadmin(stage: Stage, port: number): Promise<string> {
  const [body = ''] = stage.requests.login.bodies
  const client = new pg.Client({ connectionString: stage.databaseUrl })
  await client.connect()
  try {
    await client.query(`UPDATE users SET user_type = 'superadmin' WHERE email = $1`, [JSON.parse(body).email])
  } finally {
    await client.end()
  }
  const response = await fetch(`http://127.0.0.1:${port}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  const { sessionId } = (await response.json()) as { sessionId?: string }
  if (!sessionId) throw new Error(`the superadmin could not sign in: ${response.status}`)
  return sessionId
}
