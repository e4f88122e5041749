import assert from 'node:assert/strict'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { type AuditEvent, ada, getJson, mailTo, openUsers, password, signIn, statusOf, superadmin } from './users.ts'

test('users are created, listed, shown, changed and exported without a browser', async (t) => {
  const { user, userProcess, start, directory } = await openUsers(t)
  const create = await userProcess(
    ['create', '--email', 'Ada@Example.com', '--name', 'Ada', ...superadmin],
    `${password}\n`,
  )
  assert.equal(create.code, 0, create.stderr)
  assert.match(create.stdout, /^ada@example\.com was created with the role superadmin\.\n {2}id {9}[0-9a-f-]{36}\n/)
  assert.ok(!`${create.stdout}${create.stderr}`.includes(password))
  const invited = await user(['create', '--email', 'grace@example.com', '--role', 'writer'])
  assert.equal(invited.code, 0, invited.stderr)
  assert.match(invited.stdout, /The service sends the invitation as soon as it runs\.\n$/)

  const service = await start()
  await eventually(async () => /reset-password\S*token=/.test(await mailTo(service, 'grace@example.com')))
  assert.doesNotMatch(service.output(), /\/auth\/setup\?token=/, 'the set-up link has no use any more')
  const session = await signIn(service)
  assert.equal(await statusOf(service, session), 200)
  await service.stop()

  const shown = JSON.parse((await user(['show', 'ADA@example.com', '--json'])).stdout)
  assert.deepEqual([shown.user.user_type, shown.sessionCount, shown.second_factors], ['superadmin', 1, []])
  assert.ok(Date.now() - Date.parse(shown.last_sign_in) < 600_000)
  const { stdout: text } = await user(['show', shown.user.id])
  for (const line of [/^email +ada@example\.com$/m, /^active_sessions +1$/m, /^last_sign_in +20/m, /^SESSION +STATUS/m])
    assert.match(text, line)
  const listed = JSON.parse((await user(['list', '--search', 'GRACE', '--json'])).stdout)
  assert.deepEqual([listed.users.length, listed.users[0].email, listed.pagination.total], [1, 'grace@example.com', 1])
  const { user_name: grace } = listed.users[0]

  const changed = await user(['set-role', grace, 'admin'])
  assert.equal(
    changed.stdout,
    'grace@example.com has the role admin now, instead of writer. The sessions of the user have ended.\n',
  )
  assert.match((await user(['set-role', grace, 'admin'])).stdout, /already has the role admin\. Nothing was changed\./)
  assert.match((await user(['end-sessions', ada])).stdout, /^Ended 1 session of ada@example\.com\.\n$/)
  const block = await user(['block', grace, '--reason', 'Spam', '--until', '2090-01-01T00:00:00Z'])
  assert.match(block.stderr, /^until must be at most ten years away/)
  assert.equal(
    (await user(['block', grace, '--reason', 'Spam'])).stdout,
    'grace@example.com is blocked. All sessions have ended.\n',
  )
  assert.match((await user(['show', grace])).stdout, /^blocked +\{"reason":"Spam","since":"20[^"]+","until":null\}$/m)
  assert.equal((await user(['unblock', grace])).stdout, 'grace@example.com is not blocked.\n')
  const file = join(directory, 'ada.json')
  assert.equal((await user(['export', ada, file])).code, 0)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  const { generated_at, sessions, ...exported } = JSON.parse(await readFile(file, 'utf8'))
  assert.equal(sessions[0].status, 'revoked')

  const again = await start()
  assert.equal(await statusOf(again, session), 401)
  const next = await signIn(again)
  const own = await getJson(again, '/auth/user/me/export', next)
  assert.deepEqual(Object.keys(own.data).sort(), Object.keys({ generated_at, sessions, ...exported }).sort())
  assert.deepEqual(own.data.user, exported.user)
  const { data } = await getJson(again, '/auth/admin/audit?limit=100', next)
  const byOperator = data.events.filter((event: AuditEvent) => event.actor_role === 'command_line')
  assert.deepEqual(
    byOperator.map(({ event, actor_id, outcome }: AuditEvent) => [event, actor_id, outcome]).reverse(),
    [
      'admin_user_created',
      'admin_user_created',
      'role_changed',
      'session_ended',
      'user_blocked',
      'user_unblocked',
      'export_requested',
    ].map((event) => [event, null, 'success']),
  )
})
