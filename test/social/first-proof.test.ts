import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { mailWith, tokenAfter } from '../email-addresses/change-support.ts'
import { asPerson } from '../modules/onboarding/support.ts'
import { askForDeletion, deletionOf, path as privacyPath } from '../modules/privacy/support.ts'
import { asked, redeem, verify } from '../passwordless/support.ts'
import { drawn, upload } from '../pictures/support.ts'
import { eventually } from '../support/eventually.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { type OidcServer, startOidcServer } from './oidc-server.ts'
import { jsonSignIn } from './support.ts'

let server: OidcServer
let app: TestApp
let published: string
before(async () => {
  server = await startOidcServer()
  app = await startTestApp({
    modules: ['two-factor', 'privacy', 'onboarding', 'blog'],
    env: {
      BLOG_ENABLED: 'true',
      ...server.env,
    },
  })
  published = await write(await signedInAs(app, 'writer'), { status: 'published' })
})
after(async () => {
  await app?.stop()
  await server?.stop()
})

async function write({ sessionToken }: SignedIn, members: object): Promise<string> {
  const reply = await app.post('/api/v1/posts', { title: 'Notes', body: 'x', ...members }, withSession(sessionToken))
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data.id
}

/** Someone registers an address and begins everything that lasts. */
async function begin(): Promise<SignedIn> {
  const stranger = await registered(app)
  await sql`UPDATE users SET user_type = 'writer' WHERE id = ${stranger.id}`.execute(app.ctx.db)
  const session = withSession(stranger.sessionToken)
  const call = async (method: string, url: string, body?: unknown) => {
    const reply = await app.call(method, url, { ...session, ...(body !== undefined && { body }) })
    assert.ok(reply.status < 300, `${method} ${url}: ${reply.text}`)
  }
  await call('PUT', '/auth/profile', { name: 'Somebody', metadata: { plan: 'of a stranger' } })
  assert.equal((await upload(app, stranger.sessionToken, await drawn(20, 20).jpeg().toBuffer())).status, 200)
  await call('PUT', privacyPath, { gdpr_consent: true, gdpr_consent_version: '1', ccpa_opt_out: true })
  assert.equal((await asPerson(app, stranger).post('/steps/company/complete', { size: 'of a stranger' })).status, 200)
  await write(stranger, { title: 'A draft' })
  await write(stranger, { status: 'scheduled', scheduled_at: new Date(app.clock.now() + 3_600_000).toISOString() })
  await write(stranger, { status: 'published' })
  await call('POST', `/api/v1/posts/${published}/bookmark`)
  await call('POST', `${privacyPath}/exports`, {})
  assert.equal((await askForDeletion(app, stranger)).status, 200)
  return stranger
}

/** What remains of all that. */
async function remainderOf({ id }: SignedIn) {
  const { rows } = await sql<Record<string, unknown>>`SELECT
    (SELECT count(*) FROM user_deletion_requests WHERE user_id = u.id AND status = 'pending')::int AS deletions,
    (SELECT count(*) FROM user_privacy_exports WHERE user_id = u.id)::int AS exports,
    (SELECT count(*) FROM user_onboarding WHERE user_id = u.id)::int AS answers,
    (SELECT count(*) FROM post_bookmarks WHERE user_id = u.id)::int AS bookmarks,
    ARRAY(SELECT status FROM posts WHERE user_id = u.id AND deleted_at IS NULL ORDER BY id) AS posts,
    ARRAY(SELECT status FROM posts WHERE user_id = u.id AND deleted_at IS NOT NULL ORDER BY id) AS trash,
    gdpr_consent AS consent, gdpr_consent_version AS version, ccpa_opt_out, picture <> '' AS picture, metadata, name
    FROM users u WHERE id = ${id}`.execute(app.ctx.db)
  return rows[0]
}

const everything = {
  deletions: 1,
  exports: 1,
  answers: 1,
  bookmarks: 1,
  posts: ['draft', 'scheduled', 'published'],
  trash: [],
  consent: true,
  version: '1',
  ccpa_opt_out: true,
  picture: true,
  metadata: { plan: 'of a stranger' },
  name: 'Somebody',
}
const ofTheOwner = {
  deletions: 0,
  exports: 0,
  answers: 0,
  bookmarks: 0,
  posts: ['published'],
  trash: ['draft', 'scheduled'],
  consent: false,
  version: null,
  ccpa_opt_out: true,
  picture: false,
  metadata: {},
  name: 'Somebody',
}

const password = 'a tape without an end'
async function reset({ email }: SignedIn): Promise<void> {
  await app.post('/auth/password-reset/request', { email })
  const token = tokenAfter(await mailWith(app, email, '/reset-password?token='), '/reset-password')
  assert.equal((await app.post('/auth/password-reset/complete', { token, password })).status, 200)
}

const proofs: Record<string, (owner: SignedIn) => Promise<void>> = {
  'a reset': reset,
  'a login link': async ({ email }) => {
    const { token } = await asked(app, email)
    assert.equal((await redeem(app, { token })).json.success, true)
  },
  'a login code': async ({ email }) => {
    const { id, code } = await asked(app, email)
    assert.equal((await redeem(app, { token_id: id, code })).json.success, true)
  },
  'a provider': async ({ email, id }) => {
    const sub = `of ${id}`
    server.people.set(sub, { sub, email, email_verified: true })
    assert.equal((await jsonSignIn(app, server, sub)).json.user.id, id)
  },
}

describe('what was begun in an account before the first proof of its address', () => {
  for (const [name, prove] of Object.entries(proofs))
    test(`is gone after ${name}`, async () => {
      const stranger = await begin()
      await eventually(async () => (await remainderOf(stranger))?.exports === 1)
      assert.deepEqual(await remainderOf(stranger), everything)
      const mails = app.inbox?.list({ to: stranger.email }).length ?? 0
      await prove(stranger)
      assert.deepEqual(await remainderOf(stranger), ofTheOwner)
      const subjects = app.inbox?.list({ to: stranger.email }).map(({ subject }) => subject)
      assert.ok(!subjects?.slice(mails).some((subject) => /will not be deleted/.test(subject ?? '')))
      const cancelled = (await auditOf(app, 'deletion_cancelled')).filter(({ target_id }) => target_id === stranger.id)
      assert.deepEqual(
        cancelled.map(({ details }) => details),
        [{ reason: 'unproven' }],
      )
    })

  test('stays if the address was proven before', async () => {
    const ada = await begin()
    await verify(app, ada.id)
    await reset(ada)
    assert.deepEqual(await remainderOf(ada), everything)
    const { sessionId } = (await app.post('/auth/login', { email: ada.email, password })).json
    assert.equal((await deletionOf(app, { ...ada, sessionToken: sessionId })).status, 'pending')
  })
})
