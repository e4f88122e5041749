import { sql } from 'kysely'
import { newId } from '../../src/lib/ids.ts'
import { secretsOf, superadminOf } from '../applications/support.ts'
import { registered } from '../support/people.ts'
import { bridgeSecret, type TestApp } from '../support/test-app.ts'

export interface Declared {
  permissions?: readonly (string | { key: string; sensitive: boolean })[]
  roles?: Readonly<Record<string, readonly string[]>>
  default?: string
}

/** An application with permissions and roles, which are written by hand. */
export async function declaringApplication(app: TestApp, key: string, declared: Declared) {
  const superadmin = await superadminOf(app)
  const application = await secretsOf(superadmin, key)
  const { db } = app.ctx
  for (const one of declared.permissions ?? []) {
    const permission = typeof one === 'string' ? { key: one, sensitive: false } : one
    await sql`INSERT INTO permissions (key, application_id, title, description, sensitive)
      VALUES (${permission.key}, ${application.id}, '{}', '{}', ${permission.sensitive})`.execute(db)
  }
  const roles: Record<string, string> = {}
  for (const [role, permissions] of Object.entries(declared.roles ?? {})) {
    const id = newId()
    roles[role] = id
    await sql`INSERT INTO roles (id, created_at, updated_at, kind, application_id, key, name, permissions, is_default)
      VALUES (${id}, now(), now(), 'application', ${application.id}, ${role}, ${role}, ${[...permissions]}::text[],
        ${declared.default === role})`.execute(db)
  }
  await settle(app)
  return { ...application, key, roles, superadmin }
}

/** Statements by hand do not tell the node. A PostgreSQL server does, but later. */
export async function settle(app: TestApp, ...userIds: string[]): Promise<void> {
  const { rows } = await sql<{ version: string }>`SELECT version FROM role_version`.execute(app.ctx.db)
  for (const id of userIds) {
    const user = await sql<{ epoch: string }>`SELECT session_epoch AS epoch FROM users WHERE id = ${id}`.execute(
      app.ctx.db,
    )
    await app.ctx.sessions.invalidate(id, Number(user.rows[0]?.epoch))
  }
  await app.ctx.applicationRoles.invalidate(Number(rows[0]?.version))
}

export async function grant(app: TestApp, userId: string, roleId: string | undefined, until: Date | null = null) {
  await sql`INSERT INTO user_roles (user_id, role_id, granted_at, until)
    VALUES (${userId}, ${roleId}, now(), ${until})`.execute(app.ctx.db)
  await settle(app, userId)
}

/** A user, and the requests of back ends about the user's session. */
export async function validatedUser(app: TestApp) {
  const user = await registered(app)
  const asBackEnd = (secret: string) => ({ headers: { 'x-bridge-secret': secret } })
  return {
    ...user,
    async validate(secret: string = bridgeSecret) {
      const { json } = await app.post('/auth/bridge/validate', { session_id: user.sessionToken }, asBackEnd(secret))
      return json
    },
    async validateInList(tag = '', secret: string = bridgeSecret) {
      const body = { session_ids: [user.sessionToken], tags: [tag] }
      return (await app.post('/auth/bridge/validate', body, asBackEnd(secret))).json.results[0]
    },
    verify: (query: Record<string, string> = {}, path = '/auth/verify', secret: string = bridgeSecret) =>
      app.get(path, {
        query,
        headers: { 'x-bridge-secret': secret, 'x-session-id': user.sessionToken },
      }),
  }
}
