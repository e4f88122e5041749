import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify, SignJWT } from 'jose'
import { sql } from 'kysely'
import { cleanUp } from '../../../src/jobs/clean-up.ts'
import { signingKeyFor, verificationKeyFor } from '../../../src/modules/oauth/keys/signing-key.ts'
import { signingKeyJobs } from '../../../src/modules/oauth/keys/upkeep.ts'
import type { SigningAlg } from '../../../src/modules/oauth/rows.ts'
import { type SignedIn, signedInAs, withSession } from '../../support/people.ts'
import { type Reply, startTestApp, type TestApp } from '../../support/test-app.ts'

export const keysPath = '/auth/admin/oauth/keys'
export const jwksPath = '/oauth/jwks'

export const oauthEnv = {
  RATE_LIMIT_ADMIN: '10000/1h',
  SESSION_IDLE_TTL: '90d',
  SESSION_ABSOLUTE_TTL: '365d',
  REAUTH_WINDOW: '12h',
  MAIL_CAP: '1000/1h',
}

export const startOAuth = (
  env: Record<string, string> = {},
  more: Omit<Parameters<typeof startTestApp>[0] & object, 'env' | 'modules'> = {},
): Promise<TestApp> =>
  startTestApp({ ...more, modules: more.database ? [] : ['api-keys', 'oauth'], env: { ...oauthEnv, ...env } })

/** A JWT as the token endpoint signs it. */
export async function signed(app: TestApp, alg: SigningAlg = 'ES256'): Promise<string> {
  const { kid, privateKey } = await signingKeyFor(app.ctx, alg)
  const now = Math.floor(app.clock.now() / 1000)
  return new SignJWT({ sub: 'deploy' })
    .setProtectedHeader({ alg, kid, typ: 'at+jwt' })
    .setIssuedAt(now)
    .setExpirationTime(now + 3600)
    .sign(privateKey)
}

export const kidOf = (jwt: string): string =>
  JSON.parse(Buffer.from(jwt.split('.')[0] ?? '', 'base64url').toString()).kid

/** Verifies as a resource server does, with the published keys. */
export async function isPublished(app: TestApp, jwt: string): Promise<boolean> {
  const jwks: JSONWebKeySet = (await app.get(jwksPath)).json
  return jwtVerify(jwt, createLocalJWKSet(jwks), { currentDate: new Date(app.clock.now()) }).then(
    () => true,
    () => false,
  )
}

/** Verifies as the service itself does. */
export async function verifies(app: TestApp, jwt: string): Promise<boolean> {
  const key = await verificationKeyFor(app.ctx, kidOf(jwt))
  if (!key) return false
  await jwtVerify(jwt, key.publicKey, { algorithms: [key.alg], currentDate: new Date(app.clock.now()) })
  return true
}

export const upkeep = (app: TestApp) => cleanUp(app.ctx, signingKeyJobs)

export interface ListedKey {
  kid: string
  alg: string
  status: string
  published: boolean
  active_from: string
  published_until: string | null
}

/** As a new superadmin, because tests let sessions expire. */
export async function listed(app: TestApp): Promise<ListedKey[]> {
  const { sessionToken } = await superadmin(app)
  const reply = await app.get(keysPath, withSession(sessionToken))
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data.keys
}

export const rotate = (app: TestApp, who: SignedIn, body: object = {}): Promise<Reply> =>
  app.post(`${keysPath}/rotate`, body, withSession(who.sessionToken))

export const superadmin = (app: TestApp): Promise<SignedIn> => signedInAs(app, 'superadmin')

/** An enabled resource with JWTs of this algorithm, so that the algorithm is in use. */
export async function addResource(app: TestApp, alg: SigningAlg | null = null): Promise<string> {
  const [application, resource] = [randomUUID(), randomUUID()]
  await sql`INSERT INTO applications (id, created_at, updated_at, is_enabled, is_development, key, name, kind)
    VALUES (${application}, now(), now(), true, false, ${`app-${application}`}, 'Files', 'service')`.execute(app.ctx.db)
  await sql`INSERT INTO oauth_resources (id, application_id, identifier, name, alg, is_enabled)
    VALUES (${resource}, ${application}, ${`https://${resource}.example`}, 'Files', ${alg}, true)`.execute(app.ctx.db)
  return resource
}
