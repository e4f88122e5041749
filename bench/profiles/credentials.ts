import { sha256Bytes } from '../../src/lib/hash.ts'
import { newId } from '../../src/lib/ids.ts'
import { newKey } from '../../src/modules/api-keys/key-text.ts'
import type { Service } from '../service.ts'
import type { Stage } from '../stage.ts'
import { withClient } from '../with-client.ts'
import { ratioOf, sideOf } from './trees.ts'

const [rolesEach, permissionsEach] = [10, 50]

export interface CredentialFigures {
  /** The kind of validation that is compared with that of a session whose user has no role. */
  compared: 'key' | 'session with roles'
  /** CPU time per validation, divided by that of the session. The median of all rounds. */
  cpuRatio: number
  lowest: number
  highest: number
  undisturbed: number
  rounds: number
}

/**
 * Compares validations of API keys, and of sessions whose users have ten roles with 500 permissions, with those of sessions
 * of users without roles. All are from memory, on one node.
 */
export async function measureCredentials(stage: Stage): Promise<CredentialFigures[]> {
  const service = await stage.startService({ MODULES_AUTO_INSTALL: 'api-keys' })
  try {
    const { path, headers, bodies } = stage.requests.validate
    const half = bodies.length / 2
    const keys = await seedKeys(stage)
    const sets = {
      plain: bodies.slice(0, half),
      withRoles: bodies.slice(half),
      keys: keys.map((credential) => JSON.stringify({ credential })),
    }
    for (const [name, some] of Object.entries(sets))
      await stage.load.ask('prepare', { name, path, headers, bodies: some })
    const figures = [await compared(stage, service, 'key')]
    await seedRoles(stage, half)
    return [...figures, await compared(stage, service, 'session with roles')]
  } finally {
    await service.stop()
  }
}

async function compared(
  stage: Stage,
  service: Service,
  what: CredentialFigures['compared'],
): Promise<CredentialFigures> {
  const sides = [
    sideOf(stage, service, what === 'key' ? 'keys' : 'withRoles'),
    sideOf(stage, service, 'plain'),
  ] as const
  for (const { work } of sides) await work(2_500)
  return { compared: what, ...(await ratioOf(...sides)) }
}

/** A personal key for each of the first half of the users. Returns their texts. */
async function seedKeys({ databaseUrl, requests }: Stage): Promise<string[]> {
  const keys = Array.from({ length: requests.validate.bodies.length / 2 }, () => newKey('personal'))
  await withClient(databaseUrl, (client) =>
    client.query(
      `INSERT INTO api_keys (id, user_id, name, secret_hash, hint, scopes, ip_ranges, ends_at)
       SELECT gen_random_uuid(), u.id, 'bench', k.hash, 'wkp_…', '{wardenry:profile:read}', '{}', now() + interval '30 days'
       FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM users) u
       JOIN unnest($1::bytea[]) WITH ORDINALITY AS k (hash, n) ON k.n = u.n`,
      [keys.map((key) => sha256Bytes(key))],
    ),
  )
  return keys
}

/** Ten roles with 50 permissions each, which all users except the first ones have. */
async function seedRoles({ databaseUrl }: Stage, without: number): Promise<void> {
  const roleIds = Array.from({ length: rolesEach }, newId)
  await withClient(databaseUrl, async (client) => {
    await client.query(
      `INSERT INTO applications (id, created_at, updated_at, is_enabled, is_development, key, name, kind)
       VALUES ('b0000000-0000-4000-8000-000000000001', now(), now(), true, false, 'bench', 'Bench', 'website')`,
    )
    await client.query(
      `INSERT INTO permissions (key, application_id, title, description, sensitive)
       SELECT 'bench:' || n, 'b0000000-0000-4000-8000-000000000001', '{}', '{}', false
       FROM generate_series(1, $1::int) n`,
      [rolesEach * permissionsEach],
    )
    await client.query(
      `INSERT INTO roles (id, created_at, updated_at, kind, application_id, key, name, permissions)
       SELECT r.id, now(), now(), 'application', 'b0000000-0000-4000-8000-000000000001', 'role-' || r.n, 'Role', ARRAY(
         SELECT 'bench:' || p FROM generate_series((r.n - 1) * $2::int + 1, r.n * $2::int) p)
       FROM unnest($1::uuid[]) WITH ORDINALITY AS r (id, n)`,
      [roleIds, permissionsEach],
    )
    await client.query(
      `INSERT INTO user_roles (user_id, role_id, granted_at)
       SELECT u.id, r, now() FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM users) u, unnest($1::uuid[]) r
       WHERE u.n > $2`,
      [roleIds, without],
    )
  })
}
