import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { type AuditEvent, ada, getJson, openUsers, password, signIn, superadmin } from './users.ts'

test('a command for an unknown user, against a rule or with an invalid value changes nothing and exits with 1', async (t) => {
  const { user, start, directory } = await openUsers(t)
  await user(['create', '--email', ada, ...superadmin], `${password}\n`)
  const taken = join(directory, 'taken.json')
  await writeFile(taken, 'mine')
  const rejections: [args: string[], sentence: RegExp, input?: string][] = [
    [['set-role', ada, 'admin'], /^At least one superadmin who can sign in must remain\n$/],
    [['set-role', ada, 'boss'], /^The role must be one of superadmin, admin, support, customer, writer\n$/],
    [['end-sessions', 'nobody'], /^There is no user "nobody": pass the id, the email address or the user name/],
    [['create', '--email', ada], /^Email already registered\n$/],
    [['create', '--email', 'weak@example.com', '--password-stdin'], /^Password is too common/, 'password1\n'],
    [['create', '--email', 'none@example.com', '--password-stdin'], /^No password was given/],
    [['list', '--limit', '101'], /^--limit must be a whole number from 1 to 100\n$/],
    [['export', ada, taken], /taken\.json already exists: name a new file\n$/],
  ]
  for (const [args, sentence, input] of rejections) {
    const { code, stdout, stderr } = await user(args, input)
    assert.deepEqual([code, stdout], [1, ''], args.join(' '))
    assert.match(stderr, sentence)
  }
  assert.equal(await readFile(taken, 'utf8'), 'mine')
  const { stdout } = await user(['list'])
  assert.match(stdout, /^EMAIL .*\nada@example\.com .* superadmin .*\n1 of 1\n$/)

  const service = await start()
  const { data } = await getJson(service, '/auth/admin/audit?event=authz_denied', await signIn(service))
  assert.deepEqual(
    data.events.map(({ actor_role, details }: AuditEvent) => [actor_role, details.deed, details.code]),
    [['command_line', 'change_role', 'LAST_SUPERADMIN']],
  )
})
