import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runImport } from '../../src/import/import-users.ts'
import { auth0 } from '../../src/import/sources/auth0.ts'
import { jsonl } from '../../src/import/sources/own-formats.ts'
import type { UserSource } from '../../src/import/sources/source.ts'
import { rowCounts } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { exported, fileWith, importOf, linesOf, phpHash, recordsOf } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

test('bad lines are named, and do not keep the others from being imported', async (t) => {
  const bad: [line: string | Buffer, problem: RegExp][] = [
    ['{"email":"cut@exam', /^the line must be valid JSON/],
    ['[1,2]', /^the record must be a JSON object$/],
    ['null', /^the record must be a JSON object$/],
    ['{"name":"nobody"}', /^email is required$/],
    ['{"email":42}', /^email must be/],
    ['{"email":"no address"}', /^email must be one email address/],
    ['{"email":"a@example.com","email":"b@example.com"}', /^email is given twice$/],
    ['{"email":"a@example.com","__proto__":{"user_type":"superadmin"}}', /must not have a member named __proto__/],
    ['{"email":"a@example.com","blocked":{"constructor":{}}}', /^blocked.reason is required/],
    [JSON.stringify({ email: 'a@example.com', metadata: { text: 'x'.repeat(1_100_000) } }), /^the line has more than/],
    [JSON.stringify({ email: 'a\u0000@example.com' }), /U\+0000/],
    [JSON.stringify({ email: 'a@example.com', id: '\ud800' }), /well-formed Unicode/],
    [Buffer.from('{"email":"\xe4@example.com"}', 'latin1'), /^the line must be UTF-8$/],
    [JSON.stringify({ email: 'a@example.com', deleted_at: 'yesterday' }), /^deleted_at must be a time/],
    ...Array.from({ length: 7 }, (): [string, RegExp] => ['{"email":""}', /^email must/]),
  ]
  const content = Buffer.concat(
    [...bad.map(([line]) => line), '{"email":"good@example.com","name":"=1+1"}'].flatMap((line) => [
      Buffer.from(line),
      Buffer.from('\n'),
    ]),
  )
  const problems = new Map<number, string>()
  const done = await runImport(app.ctx, importOf(await fileWith(t, content)), {
    problem: ({ line, problem }) => void problems.set(line, problem),
  })
  bad.forEach(([, expected], index) => {
    assert.match(problems.get(index + 1) ?? '', expected, `line ${index + 1}`)
  })
  assert.deepEqual([done.users, done.problems, done.shown.length], [1, bad.length, 20])
  for (const problem of problems.values()) assert.doesNotMatch(problem, /(?<!ad)a@example|cut@/, problem)
  assert.equal(({} as { user_type?: string }).user_type, undefined)
  assert.deepEqual(
    recordsOf(await exported(app.ctx)).map(({ name }) => name),
    ['=1+1'],
  )
})

test('a line of 100 MB is refused without being held in memory', async (t) => {
  const line = Buffer.concat([Buffer.from('{"email":"'), Buffer.alloc(100 * 1024 * 1024, 'a'), Buffer.from('"}\n')])
  const path = await fileWith(t, Buffer.concat([line, Buffer.from('{"email":"after@example.com"}\n')]))
  const done = await runImport(app.ctx, importOf(path))
  assert.deepEqual([done.users, done.shown.map(({ line }) => line)], [1, [1]])
})

test('a file in another encoding is refused as a whole', async (t) => {
  const before = await rowCounts(app)
  const text = '{"email":"utf16@example.com"}\n'
  for (const [content, sentence] of [
    [Buffer.from(`\ufeff${text}`, 'utf16le'), /is encoded in UTF-16/],
    [Buffer.from('1f8b0800', 'hex'), /is compressed/],
  ] as const)
    await assert.rejects(runImport(app.ctx, importOf(await fileWith(t, content))), sentence)
  assert.deepEqual(await rowCounts(app), before)
  const marked = await runImport(app.ctx, importOf(await fileWith(t, `\ufeff${text}`)))
  assert.equal(marked.users, 1)
})

const fromCsv: UserSource = {
  name: 'test',
  title: 'Test',
  reading: [{ kind: 'csv' }],
  toRecord: (row) => ({ record: { email: '', ...(row as object) }, lost: [] }),
}

test('CSV files have quoted cells, line breaks in cells, other separators, and rows with problems', async (t) => {
  const content =
    '\ufeffemail;name\r\n"csv.1@example.com";"Ada ""the"" first"\r\n\r\ncsv.2@example.com\r\ncsv.3@example.com;"a\r\nb"\r\ncsv.4@example.com;Grace'
  const done = await runImport(app.ctx, importOf(await fileWith(t, content, 'users.csv'), { source: fromCsv }))
  assert.deepEqual(
    done.shown.map(({ line, problem }) => `${line}: ${problem}`),
    ['4: the row has 1 cells, but the header has 2'],
  )
  assert.deepEqual([done.rows, done.users], [4, 3])
  const refused: [string | Buffer, RegExp][] = [
    ['email,name\na@example.com,"open\n', /ends within quotation marks, which begin on line 2/],
    ['email,email\n', /the column email is given twice/],
    [Buffer.from('email,name\na@example.com,\xe4\n', 'latin1'), /is not UTF-8/],
    [`email,name\na@example.com,"${'x\n'.repeat(600_000)}`, /the record on line 2 is too long/],
  ]
  for (const [text, sentence] of refused)
    await assert.rejects(runImport(app.ctx, importOf(await fileWith(t, text, 'a.csv'), { source: fromCsv })), sentence)
})

test('blank lines at the beginning of a CSV file do not hide its separator', async (t) => {
  for (const [name, blank] of Object.entries({ lf: '\n\n', crlf: '\r\n' })) {
    const content = `${blank}email;name\nblank.${name}@example.com;Ada\n`
    const done = await runImport(app.ctx, importOf(await fileWith(t, content, 'users.csv'), { source: fromCsv }))
    assert.deepEqual([done.rows, done.users, done.shown], [1, 1, []])
  }
})

test('a JSON line can be indented', async (t) => {
  const content = `${' '.repeat(300)}{"email":"indented@example.com"}\n${' '.repeat(300)}\n`
  const done = await runImport(app.ctx, importOf(await fileWith(t, content)))
  assert.deepEqual([done.rows, done.users], [1, 1])
})

test('a member of an unexpected type does not end the import', async (t) => {
  const odd = { email_verified: { toString: 1 }, roles: { toString: 1 }, app_metadata: { roles: [{ toString: 1 }] } }
  const rows = [{ email: 'odd.1@example.com', ...odd }, { email: 'odd.2@example.com' }]
  const done = await runImport(app.ctx, importOf(await fileWith(t, linesOf(rows)), { source: auth0 }))
  assert.deepEqual([done.users, done.problems], [2, 0])
})

test('deletion times that do not exist and empty blocks are refused', async (t) => {
  const rows = [
    { email: 'time.1@example.com', created_at: '2025-02-30T00:00:00Z' },
    { email: 'time.2@example.com', deleted_at: '2025-04-31 10:00:00' },
    { email: 'time.3@example.com', created_at: '2025' },
    { email: 'time.4@example.com', blocked: {} },
    { email: 'time.5@example.com', created_at: '1750000000' },
  ]
  const done = await runImport(app.ctx, importOf(await fileWith(t, linesOf(rows)), { source: jsonl }))
  assert.deepEqual(
    done.shown.map(({ line, problem }) => `${line}: ${problem.slice(0, 22)}`),
    ['2: deleted_at must be a t', '4: blocked.reason is requ'],
  )
  assert.equal(done.users, 3)
})

test('a row with the id of an imported user but another email address is counted', async (t) => {
  const path = await fileWith(t, linesOf([{ external_id: '7001', email: 'ann@example.com' }]))
  await runImport(app.ctx, importOf(path))
  const other = await fileWith(t, linesOf([{ external_id: '7001', email: 'bob@example.com' }]))
  const again = await runImport(app.ctx, importOf(other))
  assert.deepEqual([again.present, again.changed], [1, { users: 1, line: 1 }])
})

test('two imports of a file at the same time import each user once, without problems', async (t) => {
  const rows = Array.from({ length: 3_000 }, (_, at) => ({
    external_id: `twice.${at}`,
    email: `twice.${at}@example.com`,
  }))
  const twice = await fileWith(t, linesOf(rows))
  const both = await Promise.all([runImport(app.ctx, importOf(twice)), runImport(app.ctx, importOf(twice))])
  assert.equal(both[0].users + both[1].users, 3_000)
  for (const { users, present, problems } of both) assert.deepEqual([users + present, problems], [3_000, 0])
})

test('a row with a repeated value does not keep its other values from later rows', async (t) => {
  const rows = [
    { external_id: '1', email: 'first@example.com' },
    { external_id: '2', email: 'first@example.com', phone: '+4915112345001' },
    { external_id: '3', email: 'second@example.com', phone: '+4915112345001' },
  ]
  const done = await runImport(app.ctx, importOf(await fileWith(t, linesOf(rows))))
  assert.deepEqual(
    done.shown.map(({ line, problem }) => `${line}: ${problem}`),
    ['2: email is also on an earlier line'],
  )
  assert.equal(done.users, 2)
})

test('an id of the previous system becomes the external id, however long it is', async (t) => {
  const id = `samlp|some-connection|${'x'.repeat(100)}`
  const done = await runImport(app.ctx, importOf(await fileWith(t, linesOf([{ id, email: 'long.id@example.com' }]))))
  assert.equal(done.users, 1)
  const found = recordsOf(await exported(app.ctx)).find(({ email }) => email === 'long.id@example.com')
  assert.equal(found?.external_id, id)
})

test('weak hashes of several batches need no room in the queue for hashing', async (t) => {
  const small = await startTestApp({ env: { HASH_CONCURRENCY: '1', HASH_QUEUE: '0' } })
  t.after(() => small.stop())
  const weak = '$P$BHy.BTXkH4pJfoRp2EjB9a94VLyPAP/'
  const rows = Array.from({ length: 2_000 }, (_, at) => ({
    email: `queue.${at}@example.com`,
    ...(at % 20 === 0 && { password_hash: weak }),
  }))
  const done = await runImport(small.ctx, importOf(await fileWith(t, linesOf(rows))))
  assert.deepEqual([done.users, done.weakHashes], [2_000, 100])
})

test('hashes of this service need valid parameters and a known pepper', async (t) => {
  const [salt, key] = ['c2FsdHNhbHRzYWx0', 'a2V5a2V5a2V5a2V5a2V5a2V5']
  const hashes = [
    `{2019}$argon2id$v=19$m=19456,t=2,p=1$${salt}$${key}`,
    `$argon2id$v=19$m=19456,t=2,p=999$${salt}$${key}`,
    `imported:$2b$10$${'a'.repeat(53)}|$argon2id$v=19$m=99999999,t=2,p=1$${salt}$${key}`,
    `imported:$2b$04$${'a'.repeat(53)}`,
    'imported:md5:before:',
    'imported:nonsense',
    '{x}y',
  ]
  const records = hashes.map((password_hash, index) => ({ email: `own.${index}@example.com`, password_hash }))
  const done = await runImport(
    app.ctx,
    importOf(await fileWith(t, linesOf([...records, { email: 'own.ok@example.com', password_hash: phpHash }]))),
  )
  assert.deepEqual([done.users, done.withoutPassword], [8, 7])
})
