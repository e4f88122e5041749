import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { planImport, runImport } from '../../src/import/import-users.ts'
import { csv, jsonl } from '../../src/import/sources/own-formats.ts'
import { supabase } from '../../src/import/sources/supabase.ts'
import type { LostPart } from '../../src/import/summary.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { exported, fileWith, importOf, linesOf, phpHash, phpPassword, recordsOf } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ modules: ['two-factor'] })
})
after(() => app.stop())

const userOf = async (email: string) => recordsOf(await exported(app.ctx)).find((user) => user.email === email)

test('an optional value that cannot be stored is reported, and its user is imported', async (t) => {
  const content = [
    'E-Mail,First Name,Surname,Phone Number,dob,Loyalty level',
    'a.1@example.com,Ada,Lovelace,0171 1234567,1990-12-31,gold',
    'a.2@example.com,Ada,Lovelace,n/a,31.12.1990,',
    `a.3@example.com,${'x'.repeat(101)},Lovelace,,,`,
    'a.4@example.com,"Ada\nAugusta",Love\u202elace,,,',
    'a.5@example.com,Ada,Lovelace,+44 7700 900123,,',
    'a.6@example.com,Ada,Lovelace,+447700900123,,',
    'n/a,Nobody,,,,',
  ].join('\n')
  const lost: LostPart[] = []
  const path = await fileWith(t, content, 'users.csv')
  const done = await runImport(app.ctx, importOf(path, { source: csv }), { lost: (part) => void lost.push(part) })
  assert.deepEqual([done.users, done.problems], [6, 1], JSON.stringify(done.shown))
  const phone = 'Phone Number (must be a phone number in international form such as +491701234567)'
  assert.deepEqual(
    lost.map(({ line, lost }) => `${line}: ${lost}`),
    [
      '2: column Loyalty level',
      `2: ${phone}`,
      `3: ${phone}`,
      '3: dob (must be a date such as 1990-12-31, from 1900-01-01 to today)',
      '4: First Name (must have at most 100 characters)',
      '5: First Name (must not contain control characters)',
      '5: Surname (must not contain control characters)',
      '8: phone (is also on an earlier line)',
    ],
  )
  assert.equal((await userOf('a.5@example.com'))?.phone, '+447700900123')
  assert.equal((await userOf('a.1@example.com'))?.last_name, 'Lovelace')
  assert.equal((await userOf('a.6@example.com'))?.phone_trusted, false)
})

test('a phone number or user name of another user is reported, and the user gets a new user name', async (t) => {
  const first = { email: 'b.1@example.com', phone: '+4915112345678', user_name: 'bea' }
  await runImport(app.ctx, importOf(await fileWith(t, linesOf([first]))))
  const second = { email: 'b.2@example.com', phone: '+4915112345678', phone_trusted: true, user_name: 'Bea' }
  const done = await runImport(app.ctx, importOf(await fileWith(t, linesOf([second]))))
  assert.deepEqual(
    [done.users, [...done.lost.keys()].sort()],
    [1, ['phone (belongs to another user)', 'user_name (belongs to another user)']],
  )
  const user = await userOf('b.2@example.com')
  assert.deepEqual([user?.phone, user?.phone_trusted, user?.user_name === 'Bea'], [undefined, false, false])
})

test('ids and phone numbers can be JSON numbers', async (t) => {
  const rows = [
    { id: 17, email: 'c.1@example.com', name: 42, identities: [{ provider: 'github', subject: 99 }] },
    { external_id: 18, email: 'c.2@example.com', phone: 491701234567 },
  ]
  const done = await runImport(app.ctx, importOf(await fileWith(t, linesOf(rows))))
  assert.deepEqual([done.users, done.problems], [2, 0], JSON.stringify(done.shown))
  const user = await userOf('c.1@example.com')
  assert.deepEqual([user?.external_id, user?.name], ['17', '42'])
  assert.equal((user?.identities as { subject: string }[] | undefined)?.[0]?.subject, '99')
  assert.equal((await userOf('c.2@example.com'))?.external_id, '18')
})

test('a member that exceeds a limit for JSON is lost, and a long id is kept exactly', async (t) => {
  const deep = `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`
  const lines = [
    `{"email":"j.1@example.com","external_id":9007199254740993,"metadata":${deep}}`,
    `{"email":"j.2@example.com","external_id":9007199254740992,"name":"a\\u0000b","title":"\\ud800"}`,
    `{"email":"j.3@example.com","blocked":${deep}}`,
  ]
  const done = await runImport(app.ctx, importOf(await fileWith(t, linesOf(lines)), { source: jsonl }))
  assert.deepEqual(
    [done.users, done.shown, [...done.lost.keys()]],
    [
      2,
      [{ line: 3, problem: 'the line must not be nested deeper than 20 levels' }],
      [
        'metadata (must not be nested deeper than 20 levels)',
        'name (must not contain the character U+0000)',
        'title (must be well-formed Unicode)',
      ],
    ],
  )
  assert.equal((await userOf('j.1@example.com'))?.external_id, '9007199254740993')
})

test('a block that cannot be read is a problem, whatever its column is called', async (t) => {
  const deep = `{""a"":${'['.repeat(30)}${']'.repeat(30)}}`
  for (const [column, options] of [
    ['Blocked', {}],
    ['Sperre', { blocked: 'sperre' }],
  ] as const) {
    const path = await fileWith(t, `email,${column}\nk.1@example.com,"${deep}"\n`, 'users.csv')
    const plan = await planImport(app.ctx, importOf(path, { source: csv, options }))
    assert.deepEqual([plan.users, plan.problems], [0, 1], column)
  }
})

test('of a list, only the values that cannot be stored are lost', async (t) => {
  const identities = [
    { provider: 'github', subject: 's'.repeat(300) },
    { provider: 'google', subject: '7' },
  ]
  const rows = [{ email: 'd.1@example.com', identities, metadata: { text: 'x'.repeat(17_000) } }]
  const done = await runImport(app.ctx, importOf(await fileWith(t, linesOf(rows))))
  assert.deepEqual(
    [...done.lost.keys()].map((name) => name.slice(0, 28)),
    ['identities (subject must hav', 'metadata (must have at most '],
  )
  const user = await userOf('d.1@example.com')
  assert.equal((user?.identities as { provider: string }[] | undefined)?.[0]?.provider, 'google')
})

test('a value whose loss would give a user more rights, or undo a choice, is a problem', async (t) => {
  const rows = [
    { email: 'e.1@example.com', blocked: { reason: 'x'.repeat(600) } },
    { email: 'e.2@example.com', deleted_at: 'last year' },
    { email: 'e.3@example.com', two_factor: 'sometimes' },
    { email: 'e.4@example.com', user_type: 'emperor' },
    { email: 'e.5@example.com', consent: { ccpa_opt_out: 'maybe' } },
    { email: 'e.6@example.com', is_verified: 'perhaps' },
  ]
  const done = await runImport(app.ctx, importOf(await fileWith(t, linesOf(rows)), { source: jsonl }))
  assert.deepEqual(
    [done.users, done.shown.map(({ line, problem }) => `${line}: ${problem.split(/[ .]/)[0]}`)],
    [1, ['1: blocked', '2: deleted_at', '3: two_factor', '4: user_type', '5: consent']],
  )
  assert.equal((await userOf('e.6@example.com'))?.is_verified, false)
})

test('a user whose authenticator cannot be kept still needs a second factor', async (t) => {
  const rows = [{ email: 'f.1@example.com', password_hash: phpHash, totp: [{ secret: 'not base32!' }] }]
  const done = await runImport(app.ctx, importOf(await fileWith(t, linesOf(rows))))
  assert.deepEqual([done.users, [...done.lost.keys()]], [1, ['totp (secret must be a base32 seed of 10 to 64 bytes)']])
  const login = await app.post('/auth/login', { email: 'f.1@example.com', password: phpPassword })
  assert.deepEqual([login.status, login.json.requires_2fa], [200, true], JSON.stringify(login.json))
})

test('JSON in a CSV cell that exceeds a limit is lost, but not its user', async (t) => {
  const deep = `{""a"":${'['.repeat(30)}${']'.repeat(30)}}`
  const path = await fileWith(t, `email,raw_user_meta_data\ng.1@example.com,"${deep}"\n`, 'users.csv')
  const done = await runImport(app.ctx, importOf(path, { source: supabase }))
  assert.deepEqual(
    [done.users, [...done.lost.keys()].at(-1)],
    [1, 'raw_user_meta_data (must not be nested deeper than 20 levels)'],
  )
})

test('the columns are listed if none of them is the email address, or an option names another one', async (t) => {
  const path = await fileWith(t, 'Contact,Full name\nh.1@example.com,Ada\n', 'users.csv')
  await assert.rejects(planImport(app.ctx, importOf(path, { source: csv })), {
    message: `${path}: no column is named email. The columns are: Contact, Full name. Name the one with the email address: --option email=<column>`,
  })
  const options = { email: 'contact', name: 'Name' }
  await assert.rejects(planImport(app.ctx, importOf(path, { source: csv, options })), /there is no column Name \(/)
  const plan = await planImport(app.ctx, importOf(path, { source: csv, options: { email: 'contact' } }))
  assert.deepEqual([plan.users, [...plan.lost.keys()]], [1, ['column Full name']])
})

test('unknown members are listed even if no row can be imported', async (t) => {
  const path = await fileWith(t, linesOf([{ contact: 'i.1@example.com', level: 'gold' }]))
  const plan = await planImport(app.ctx, importOf(path, { source: jsonl }))
  assert.deepEqual([plan.users, [...plan.lost.keys()]], [0, ['column contact', 'column level']])
})
