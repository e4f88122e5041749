import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { transact } from '../../src/db/transact.ts'
import { issueHandoverCode } from '../../src/handover/issue-code.ts'
import { sha256Bytes } from '../../src/lib/hash.ts'
import type { Reply, TestApp } from './test-app.ts'
import { bridgeSecret } from './test-app.ts'

export const returnTo = 'https://shop.example/callback'

export const newVerifier = (): string => randomBytes(32).toString('base64url')
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

/** A browser that is signed in on the service's pages. */
export const browser = {
  address: '203.0.113.7',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  device: 'Firefox on Linux',
  acceptLanguage: undefined,
  method: 'GET',
  requestId: 'req_of_the_browser',
}

export interface IssuedCode {
  code: string
  verifier: string
  returnTo: string
}

/** A handover code for the session with this token, as issued at the end of a sign-in flow. */
export async function issued(app: TestApp, sessionToken: string, to = returnTo): Promise<IssuedCode> {
  const session = await sessionOf(app, sessionToken)
  const verifier = newVerifier()
  const input = { session, returnTo: to, codeChallenge: challengeOf(verifier), device: browser }
  const { code } = await transact(app.ctx, (tx) => issueHandoverCode(tx, input))
  return { code, verifier, returnTo: to }
}

interface Database {
  query(text: string, values: unknown[]): Promise<unknown>
}

/** Such a code in the database of several nodes. */
export async function storedCode(database: Database, sessionToken: string, to = returnTo): Promise<IssuedCode> {
  const [code, verifier] = [newVerifier(), newVerifier()]
  await database.query(
    `INSERT INTO handover_codes (id, code_hash, session_id, return_to, code_challenge, ip_address, user_agent,
       user_device, created_at, expires_at)
     SELECT $1, $2, id, $3, $4, '', '', '', now(), now() + interval '60 s' FROM sessions WHERE token_hash = $5`,
    [randomUUID(), sha256Bytes(code), to, challengeOf(verifier), sha256Bytes(sessionToken)],
  )
  return { code, verifier, returnTo: to }
}

type StoredSession = {
  id: string
  user_id: string
  sign_in_method: string | null
}

export async function sessionOf(app: TestApp, sessionToken: string): Promise<StoredSession> {
  const hash = createHash('sha256').update(sessionToken).digest()
  const { rows } = await sql<StoredSession>`SELECT * FROM sessions WHERE token_hash = ${hash}`.execute(app.ctx.db)
  if (!rows[0]) throw new Error('no such session')
  return rows[0]
}

type Members = Record<string, unknown>

export const redeemed = (
  app: TestApp,
  { code, verifier, returnTo: to }: IssuedCode,
  more: Members = {},
): Promise<Reply> =>
  app.post(
    '/auth/bridge/redeem',
    { code, code_verifier: verifier, return_to: to, ...more },
    { headers: { 'x-bridge-secret': bridgeSecret } },
  )

/** Creates an application session from the session with this token. */
export async function handedOver(app: TestApp, sessionToken: string, to = returnTo): Promise<string> {
  const reply = await redeemed(app, await issued(app, sessionToken, to))
  if (reply.status !== 200) throw new Error(`hand-over failed: ${reply.text}`)
  return reply.json.sessionId
}
