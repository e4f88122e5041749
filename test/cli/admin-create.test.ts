import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPlace } from './place.ts'

const password = 'seven quiet river stones'

test('admin create creates a superadmin once, with the password from standard input', async (t) => {
  const { run, runProcess, env } = await openPlace(t)
  const create = ['admin', 'create', '--email', 'Ada@Example.com', '--name', 'Ada']
  const input = `${password}\n`
  const first = await runProcess(create, { env, input })
  assert.equal(first.code, 0, first.stderr)
  assert.match(first.stdout, /^ada@example\.com is a superadmin now\.\n {2}id {9}[0-9a-f-]{36}\n/)
  assert.ok(!`${first.stdout}${first.stderr}`.includes(password))

  const second = await run(create, { env, input })
  assert.deepEqual([second.code, second.stdout, second.stderr], [1, '', 'Email already registered\n'])
})

test('admin create takes address and password from the settings of the first superadmin', async (t) => {
  const { run, env: place } = await openPlace(t)
  const env = { ...place, ADMIN_EMAIL: 'grace@example.com', ADMIN_PASSWORD: 'moths around the relay' }
  const { code, stdout, stderr } = await run(['admin', 'create'], { env })
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^grace@example\.com is a superadmin now/)
})

test('without an address or a valid password, no user is created', async (t) => {
  const { run, env } = await openPlace(t)
  const create = (args: string[], input: string) => run(['admin', 'create', ...args], { env, input })
  const nobody = await create([], `${password}\n`)
  const nothing = await create(['--email', 'ada@example.com'], '')
  const weak = await create(['--email', 'ada@example.com'], 'password1\n')
  assert.match(nobody.stderr, /pass it with --email/)
  assert.match(nothing.stderr, /No password was given/)
  assert.match(weak.stderr, /^Password is too common/)
  for (const { code, stdout } of [nobody, nothing, weak]) assert.deepEqual([code, stdout], [1, ''])
})

test('without passwords, admin create asks for none and prints a link that signs in', async (t) => {
  const { run, env: place } = await openPlace(t)
  const env = { ...place, PASSWORDS_ENABLED: 'false', ADMIN_PASSWORD: password }
  const { code, stdout, stderr } = await run(['admin', 'create', '--email', 'ada@example.com'], { env })
  assert.equal(code, 0, stderr)
  assert.match(
    stdout,
    /\nOpen this link to sign in\. It can be used once:\n {2}http\S+\/reset-password\?token=[\w-]+\n$/,
  )
})
