import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { sha256Bytes } from '../../src/lib/hash.ts'
import { registered, withSession } from '../support/people.ts'
import { requireSecondFactor } from '../support/second-factor.ts'
import { bridgeSecret, type TestApp } from '../support/test-app.ts'
import { type Kind, roles } from './expected.ts'

interface Credentials {
  headers?: Record<string, string>
  query?: Record<string, string>
}

/** A kind of caller and its request headers. */
export interface Caller {
  name: string
  kind: Kind | 'impersonated'
  credentials: Credentials
  /** Recreates the caller's session after a route has ended it or deleted the user. */
  renew(): Promise<void>
}

const withSecret = { 'x-bridge-secret': bridgeSecret }

type Transport = (sessionToken: string) => Credentials
const byHeader: Transport = (sessionToken) => ({ headers: { 'x-session-id': sessionToken } })
const byQuery: Transport = (sessionToken) => ({ query: { session_id: sessionToken } })
const byCookie: Transport = (sessionToken) => ({ headers: { cookie: `session_id=${sessionToken}` } })
const withBridge: Transport = (sessionToken) => ({ headers: { ...withSecret, 'x-session-id': sessionToken } })

/**
 * The callers that each route is tested with: without a session, with a partial session in each transport, and with a
 * full session for each role.
 */
export function createCallers(app: TestApp): Promise<Caller[]> {
  const without = async (name: Kind, credentials: Credentials): Promise<Caller> => ({
    name,
    kind: name,
    credentials,
    renew: async () => {},
  })
  return Promise.all([
    without('anonymous', {}),
    without('bridge', { headers: withSecret }),
    signedIn(app, 'partial', 'by header', byHeader),
    signedIn(app, 'partial', 'by query', byQuery),
    signedIn(app, 'partial', 'by cookie', byCookie),
    ...roles.map((role) => signedIn(app, role, 'by header', byHeader, role)),
    impersonated(app),
    signedIn(app, 'bridge and partial', 'by header', withBridge),
    signedIn(app, 'bridge and full', 'by header', withBridge),
  ])
}

/** A superadmin acting as a customer. */
async function impersonated(app: TestApp): Promise<Caller> {
  const [superadmin, { id }] = [await registered(app), await registered(app)]
  const setRole = (role: string) =>
    sql`UPDATE users SET user_type = ${role} WHERE id = ${superadmin.id}`.execute(app.ctx.db)
  const start = async () => {
    await setRole('superadmin')
    const path = `/auth/admin/users/${id}/impersonate`
    const { status, json, text } = await app.post(path, { reason: 'A test' }, withSession(superadmin.sessionToken))
    assert.equal(status, 200, text)
    // The expected results require exactly one superadmin. The role change ends the impersonated session, so it is
    // reactivated.
    await setRole('customer')
    await sql`UPDATE sessions SET status = 'active', ended_at = NULL
      WHERE token_hash = ${sha256Bytes(json.sessionId)}`.execute(app.ctx.db)
    return byHeader(json.sessionId)
  }
  const caller: Caller = {
    name: 'impersonated',
    kind: 'impersonated',
    credentials: await start(),
    renew: async () => {
      caller.credentials = await start()
    },
  }
  return caller
}

async function signedIn(
  app: TestApp,
  kind: Kind,
  label: string,
  transport: Transport,
  role = 'customer',
): Promise<Caller> {
  const { id, email, password } = await registered(app)
  await sql`UPDATE users SET user_type = ${role} WHERE id = ${id}`.execute(app.ctx.db)
  if (kind.endsWith('partial')) await requireSecondFactor(app, id)
  const signIn = async () => transport((await app.post('/auth/login', { email, password })).json.sessionId)
  const caller: Caller = {
    name: `${kind} ${label}`,
    kind,
    credentials: await signIn(),
    renew: async () => {
      await sql`UPDATE users SET deleted_at = NULL WHERE id = ${id}`.execute(app.ctx.db)
      caller.credentials = await signIn()
    },
  }
  return caller
}
