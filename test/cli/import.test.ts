import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { linesOf, phpHash, phpPassword, readRecords } from '../import/support.ts'
import { openUsers } from './users.ts'

test('users are imported after a plan, completely or without the lines with problems, and exported again', async (t) => {
  const { user, userProcess, start, directory } = await openUsers(t)
  const path = join(directory, 'old.jsonl')
  const good = { email: 'ada@example.com', user_type: 'member', is_verified: true, password_hash: phpHash }
  await writeFile(path, linesOf([good, { email: 'broken' }, { email: 'grace@example.com', phone: 'n/a' }]))

  const plan = await user(['import', path, '--from', 'wardenry', '--roles', 'member=writer'])
  assert.equal(plan.code, 0, plan.stderr)
  for (const line of [/^to import +2$/m, /^with problems +1$/m, /^ {2}line 2: email must be/m, /member → writer +1$/m])
    assert.match(plan.stdout, line)
  assert.match(plan.stdout, /Nothing was changed\. Import the users without problems with --run --skip-invalid\.\n$/)

  const refused = await user(['import', path, '--from', 'wardenry', '--roles', '*=writer', '--run'])
  assert.deepEqual([refused.code, /Nothing was imported\./.test(refused.stderr)], [1, true])
  assert.match((await user(['list'])).stdout, /^0 of 0$/m)

  const report = join(directory, 'problems.jsonl')
  const args = ['import', path, '--from', 'wardenry', '--roles', '*=writer', '--run', '--skip-invalid']
  const done = await userProcess([...args, '--report', report])
  assert.equal(done.code, 0, done.stderr)
  assert.match(done.stdout, /^imported +2$/m)
  assert.deepEqual(
    (await readRecords(report)).map(({ line, problem, lost }) => [line, problem !== undefined, lost]),
    [
      [2, true, undefined],
      [3, false, 'phone (must be a phone number in international form such as +491701234567)'],
    ],
  )
  assert.match((await user(args)).stdout, /^imported +0\nalready imported +2$/m)

  const [hidden, full] = [join(directory, 'all.jsonl'), join(directory, 'full.jsonl')]
  assert.equal((await userProcess(['export', hidden])).code, 0)
  assert.match((await user(['export', full, '--with-hashes'])).stdout, /contains secrets/)
  assert.equal((await stat(full)).mode & 0o777, 0o600)
  assert.ok(!(await readFile(hidden, 'utf8')).includes('$2y$10$'))
  assert.deepEqual(
    (await readRecords(full)).map(({ email, user_type, password_hash }) => [email, user_type, password_hash]).sort(),
    [
      ['ada@example.com', 'writer', `imported:${phpHash}`],
      ['grace@example.com', 'customer', undefined],
    ],
  )
  const service = await start()
  const login = await fetch(`${service.url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com', password: phpPassword }),
  })
  assert.equal(login.status, 200)
})

test('unknown formats, options and file names are refused before anything is read', async (t) => {
  const { user, directory } = await openUsers(t)
  const [path, pipe] = [join(directory, 'none.jsonl'), join(directory, 'pipe')]
  execFileSync('mkfifo', [pipe])
  const rejections: [args: string[], sentence: RegExp][] = [
    [['import', path, '--from', 'magic'], /^--from must be one of .*wardenry/],
    [['import', path, '--from', 'wardenry', '--option', 'a=b'], /^--option: wardenry has no option "a"/],
    [['import', path, '--from', 'wardenry', '--roles', 'admin'], /^--roles must have the form name=role/],
    [['import', path, '--from', 'wardenry'], /none\.jsonl does not exist or cannot be read/],
    [['import', directory, '--from', 'wardenry'], /is a directory/],
    [['import', pipe, '--from', 'wardenry', '--run'], /can be read only once, .* pass --skip-invalid/],
    [['export', 'ada@example.com'], /^To export all users, name a file that ends in \.jsonl/],
    [['export', 'ada@example.com', path, '--with-hashes'], /^--with-hashes is only for/],
  ]
  for (const [args, sentence] of rejections) {
    const { code, stderr } = await user(args)
    assert.equal(code, 1, args.join(' '))
    assert.match(stderr, sentence)
  }
})

test('an import of nobody is a failure', async (t) => {
  const { user, directory } = await openUsers(t)
  const path = join(directory, 'broken.jsonl')
  await writeFile(path, linesOf([{ email: 'broken' }]))
  for (const run of [[], ['--run', '--skip-invalid']]) {
    const { code, stdout } = await user(['import', path, '--from', 'wardenry', ...run])
    assert.equal(code, 1, stdout)
    assert.doesNotMatch(stdout, /--run/)
  }
})

test('a file without rows is a failure, and the report says what to check', async (t) => {
  const { user, directory } = await openUsers(t)
  const path = join(directory, 'empty.csv')
  await writeFile(path, 'email,name\n')
  const { code, stderr, stdout } = await user(['import', path, '--from', 'csv'])
  assert.deepEqual([code, stderr], [1, ''])
  assert.match(stdout, /The file contains no rows/)
})
