import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { planImport, runImport } from '../../src/import/import-users.ts'
import type { LostPart, Problem } from '../../src/import/summary.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { addOwnPasskey, homeOf, passkeyLogin } from '../support/passkeys.ts'
import { registered } from '../support/people.ts'
import { rowCounts } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { exported, fileWith, importOf, linesOf, recordsOf } from './support.ts'

let source: TestApp
let target: TestApp
before(async () => {
  source = await startTestApp()
  target = await startTestApp()
})
after(() => Promise.all([source?.stop(), target?.stop()]))

async function owner(of = source) {
  const ada = await registered(of)
  const authenticator = createAuthenticator(homeOf(of))
  assert.equal((await addOwnPasskey(of, ada.sessionToken, authenticator)).status, 200)
  return { ...ada, authenticator }
}

interface ExportedUser extends Record<string, unknown> {
  id: string
  email: string
  passkeys: Record<string, unknown>[]
}

async function recordOf(email: string, withHashes = false): Promise<ExportedUser> {
  const records = recordsOf(await exported(source.ctx, withHashes)) as ExportedUser[]
  return records.find((record) => record.email === email)!
}

/** A new record with a passkey that nobody has. `more` replaces members of the passkey. */
async function newRecord(more: Record<string, unknown> = {}): Promise<ExportedUser> {
  const { passkeys, ...record } = await recordOf((await owner()).email)
  return { ...record, passkeys: passkeys.map((passkey) => ({ ...passkey, ...more })) }
}

const countPasskeys = async (app: TestApp): Promise<number> =>
  (await sql<{ count: number }>`SELECT count(*)::int AS count FROM passkeys`.execute(app.ctx.db)).rows[0]!.count

async function importInto(app: TestApp, t: Parameters<typeof fileWith>[0], records: readonly unknown[]) {
  const problems: Problem[] = []
  const lost: LostPart[] = []
  const watch = { problem: (one: Problem) => void problems.push(one), lost: (one: LostPart) => void lost.push(one) }
  const done = await runImport(app.ctx, importOf(await fileWith(t, linesOf(records))), watch)
  return { ...done, problems, parts: lost }
}

test('an exported passkey signs in to another installation with the same domain, and counts on', async (t) => {
  const ada = await owner()
  assert.equal((await passkeyLogin(source, ada.authenticator, { signCount: 7 })).status, 200)
  const record = await recordOf(ada.email)
  const [passkey] = record.passkeys
  assert.deepEqual([passkey?.rp_id, passkey?.sign_count, passkey?.verified], ['localhost', 7, true])
  const done = await importInto(target, t, [record])
  assert.deepEqual([done.users, done.problems, done.parts], [1, [], []])
  assert.equal((await passkeyLogin(target, ada.authenticator, { signCount: 7 })).status, 401)
  const signedIn = await passkeyLogin(target, ada.authenticator, { signCount: 8 })
  assert.deepEqual([signedIn.status, signedIn.json.user.id], [200, ada.id])
  const { rows } = await sql`SELECT value FROM installation_facts WHERE fact = 'passkey_rp_id'`.execute(target.ctx.db)
  assert.deepEqual(rows, [{ value: 'localhost' }])
  const again = await importInto(target, t, [record])
  assert.deepEqual([again.users, again.present], [0, 1])
})

test('an export of passkeys reads back into an equal database, and needs no secrets', async (t) => {
  const other = await startTestApp()
  t.after(() => other.stop())
  const done = await runImport(other.ctx, importOf(await fileWith(t, await exported(source.ctx))))
  assert.deepEqual([done.problems, [...done.lost]], [0, []], JSON.stringify(done.shown))
  assert.equal(await exported(other.ctx), await exported(source.ctx))
})

test('with another domain, passkeys are lost, and the plan contains their number', async (t) => {
  const env = { PUBLIC_URL: 'https://id.example.org', FRONTEND_URL: 'https://id.example.org' }
  const other = await startTestApp({ env })
  t.after(() => other.stop())
  const one = await newRecord()
  const both = { ...one, passkeys: [...one.passkeys, ...(await newRecord()).passkeys] }
  const path = await fileWith(t, linesOf([both, await newRecord()]))
  const plan = await planImport(other.ctx, importOf(path))
  assert.deepEqual([...plan.lost], [['passkey for another domain (WEBAUTHN_RP_ID)', 3]])
  assert.equal((await runImport(other.ctx, importOf(path))).users, 2)
  assert.equal(await countPasskeys(other), 0)
})

test('without the id of the user, passkeys are lost, because authenticators return it', async (t) => {
  for (const id of [undefined, '17']) {
    const { passkeys, email } = await newRecord()
    const done = await importInto(target, t, [{ ...(id && { id }), email, passkeys }])
    assert.deepEqual([done.users, [...done.lost]], [1, [['passkey of a user without a UUID', 1]]])
  }
})

test('a passkey of another user or of an earlier line is a problem of its line, and nothing of it is written', async (t) => {
  const taken = await newRecord()
  assert.equal((await importInto(target, t, [taken])).users, 1)
  const [first, second, third] = [await newRecord(), await newRecord(), await newRecord()]
  const before = [await rowCounts(target), await countPasskeys(target)] as const
  const records = [
    first,
    { ...second, passkeys: [...second.passkeys, ...first.passkeys] },
    { ...third, passkeys: [...third.passkeys, ...taken.passkeys] },
  ]
  const done = await importInto(target, t, records)
  assert.deepEqual(
    done.problems.map(({ line, problem }) => `${line}: ${problem}`),
    ['2: passkey is also on an earlier line', '3: passkey belongs to another user'],
  )
  const now = await rowCounts(target)
  assert.deepEqual([now.users, await countPasskeys(target)], [Number(before[0].users) + 1, before[1] + 1])
})

test('a passkey that cannot be stored is lost, with the reason, and the others are kept', async (t) => {
  const mistakes: [more: Record<string, unknown>, reason: RegExp][] = [
    [{ credential_id: 'AAAA' }, /credential_id must be 16 to 1023 bytes in base64url/],
    [{ credential_id: 'not base64' }, /credential_id/],
    [{ public_key: 'A'.repeat(100) }, /public_key must be a public key in COSE format/],
    [{ synced: false, backed_up: true }, /backed_up must be false if synced is false/],
    [{ synced: 'perhaps' }, /synced/],
    [{ sign_count: -1 }, /sign_count/],
    [{ aaguid: 'a phone' }, /aaguid/],
    [{ created_via: 'telepathy' }, /created_via/],
    [{ created_at: '2999-01-01T00:00:00Z' }, /created_at must be in the past/],
    [{ name: 'x'.repeat(65) }, /name must have at most 64 characters/],
    [{ shoe_size: 44 }, /shoe_size/],
  ]
  for (const [more, reason] of mistakes) {
    const [right, wrong] = [await newRecord(), await newRecord(more)]
    const before = await countPasskeys(target)
    const done = await importInto(target, t, [{ ...right, passkeys: [...wrong.passkeys, ...right.passkeys] }])
    assert.deepEqual([done.users, done.problems, done.parts.length], [1, [], 1], JSON.stringify(done.shown))
    assert.match(done.parts[0]?.lost ?? '', /^passkeys \(/)
    assert.match(done.parts[0]?.lost ?? '', reason)
    assert.equal(await countPasskeys(target), before + 1)
  }
  const twice = await newRecord()
  const done = await importInto(target, t, [{ ...twice, passkeys: [...twice.passkeys, ...twice.passkeys] }])
  assert.match(done.parts[0]?.lost ?? '', /credential_id is also that of an earlier passkey/)
})

test('a user who can sign in with a passkey needs no invitation', async (t) => {
  const [usable, unverified] = [await newRecord(), await newRecord({ verified: false })]
  const path = await fileWith(t, linesOf([usable, unverified]))
  await runImport(target.ctx, importOf(path, { invite: true }))
  const { rows } = await sql<{ id: string }>`SELECT user_id AS id FROM one_time_secrets
    WHERE purpose = 'password_reset'`.execute(target.ctx.db)
  assert.deepEqual(rows, [{ id: unverified.id }])
})
