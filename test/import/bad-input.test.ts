import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runImport } from '../../src/import/import-users.ts'
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
  const deep = `{"email":"a@example.com","metadata":${'{"a":'.repeat(100)}1${'}'.repeat(101)}`
  const bad: [line: string | Buffer, problem: RegExp][] = [
    ['{"email":"cut@exam', /^the line must be valid JSON/],
    ['[1,2]', /^the record must be a JSON object$/],
    ['null', /^the record must be a JSON object$/],
    ['{"name":"nobody"}', /^email is required$/],
    ['{"email":42}', /^email must be/],
    ['{"email":"no address"}', /^email must be one email address/],
    ['{"email":"a@example.com","email":"b@example.com"}', /^email is given twice$/],
    ['{"email":"a@example.com","__proto__":{"user_type":"superadmin"}}', /must not have a member named __proto__/],
    ['{"email":"a@example.com","metadata":{"constructor":{"prototype":1}}}', /^metadata must not have a member named/],
    [deep, /nested deeper/],
    [JSON.stringify({ email: 'a@example.com', metadata: { text: 'x'.repeat(17_000) } }), /^metadata must have at most/],
    [JSON.stringify({ email: 'a@example.com', metadata: { text: 'x'.repeat(1_100_000) } }), /^the line has more than/],
    [JSON.stringify({ email: 'a@example.com', name: 'a\u0000b' }), /U\+0000/],
    [JSON.stringify({ email: 'a@example.com', metadata: { text: '\ud800' } }), /well-formed Unicode/],
    [Buffer.from('{"email":"\xe4@example.com"}', 'latin1'), /^the line must be UTF-8$/],
    [JSON.stringify({ email: 'a@example.com', name: 'x'.repeat(101) }), /^name must have at most 100/],
    [JSON.stringify({ email: 'a@example.com', phone: '123' }), /^phone must be a phone number/],
    [JSON.stringify({ email: 'a@example.com', created_at: '2999-01-01T00:00:00Z' }), /^created_at must be in the past/],
    [JSON.stringify({ email: 'a@example.com', created_at: 'yesterday' }), /^created_at must be a time/],
    [JSON.stringify({ email: 'a@example.com', is_verified: 'yes' }), /^is_verified must be/],
    [
      JSON.stringify({ email: 'a@example.com', dob: 'x', tmz: 'Mars/Olympus' }),
      /^tmz must .*dob must|^dob must .*tmz must/,
    ],
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
    ['4: the row has 1 cells, but the header has 2', '5: name must not contain control characters'],
  )
  assert.deepEqual([done.rows, done.users], [4, 2])
  const refused: [string | Buffer, RegExp][] = [
    ['email,name\na@example.com,"open\n', /ends within quotation marks, which begin on line 2/],
    ['email,email\n', /the column email is given twice/],
    [Buffer.from('email,name\na@example.com,\xe4\n', 'latin1'), /is not UTF-8/],
    [`email,name\na@example.com,"${'x\n'.repeat(600_000)}`, /the record on line 2 is too long/],
  ]
  for (const [text, sentence] of refused)
    await assert.rejects(runImport(app.ctx, importOf(await fileWith(t, text, 'a.csv'), { source: fromCsv })), sentence)
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
