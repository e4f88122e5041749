import assert from 'node:assert/strict'
import { day, iso } from '../../../src/lib/time.ts'
import { type SignedIn, signedInAs, withSession } from '../../support/people.ts'
import type { Reply, TestApp } from '../../support/test-app.ts'

export const path = '/auth/keys'
export const accountsPath = '/auth/admin/service-accounts'

export const keyEnv = {
  RATE_LIMIT_ADMIN: '10000/1h',
  RATE_LIMIT_WRITE: '10000/1h',
  RATE_LIMIT_API_KEY_WRITE: '10000/1h',
  RATE_LIMIT_API_KEY_FAIL: '10000/1h',
  SESSION_IDLE_TTL: '90d',
  SESSION_ABSOLUTE_TTL: '365d',
  MAIL_CAP: '1000/1h',
}

export const read = 'wardenry:profile:read'

export const input = (app: TestApp, more: Record<string, unknown> = {}) => ({
  ...{ name: 'deploy', scopes: [read], ends_at: iso(app.clock.now() + 30 * day) },
  ...more,
})

export interface MadeKey {
  id: string
  key: string
  hint: string
}

/** Creates a key and returns it with its text. */
export async function createKey(app: TestApp, who: SignedIn, more: Record<string, unknown> = {}): Promise<MadeKey> {
  const reply = await app.post(path, input(app, more), withSession(who.sessionToken))
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data
}

export const keysOf = async (app: TestApp, who: SignedIn) =>
  (await app.get(path, withSession(who.sessionToken))).json.data.keys

/** A user with a new staff role that has these permissions. */
export async function limitedAdmin(app: TestApp, ...permissions: string[]): Promise<SignedIn> {
  const root = await signedInAs(app, 'superadmin')
  const key = `limited-${root.id.slice(-12)}`
  const { status, text } = await app.post(
    '/auth/admin/roles',
    { key, name: key, permissions },
    withSession(root.sessionToken),
  )
  assert.equal(status, 200, text)
  return signedInAs(app, key)
}

interface Account {
  id: string
  enabled: boolean
}

export async function createAccount(
  app: TestApp,
  by: SignedIn,
  owners: readonly SignedIn[],
  more: Record<string, unknown> = {},
): Promise<Account> {
  const body = { name: 'Deployment', owners: owners.map(({ id }) => id), scopes: ['wardenry:users:read'], ...more }
  const reply = await app.post(accountsPath, body, withSession(by.sessionToken))
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data
}

export const createAccountKey = (
  app: TestApp,
  by: SignedIn,
  accountId: string,
  more: Record<string, unknown> = {},
): Promise<Reply> =>
  app.post(
    `${accountsPath}/${accountId}/keys`,
    input(app, { scopes: ['wardenry:users:read'], ...more }),
    withSession(by.sessionToken),
  )
