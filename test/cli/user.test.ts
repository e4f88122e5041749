import assert from 'node:assert/strict'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Service, startService } from '../support/child.ts'
import { eventually } from '../support/eventually.ts'
import { openWorkplace } from './run-command.ts'

const password = 'seven quiet river stones'
const ada = 'ada@example.com'

test('users are created, listed, shown, changed and exported without a browser', async (t) => {
  const { user, start, directory } = await openUsers(t)
  const create = await user(['create', '--email', 'Ada@Example.com', '--name', 'Ada', ...superadmin], `${password}\n`)
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
  const busy = await user(['end-sessions', ada])
  assert.deepEqual([busy.code, busy.stdout], [1, ''])
  assert.match(busy.stderr, new RegExp(`Process ${service.pid} has it open`))
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
    ['admin_user_created', 'admin_user_created', 'role_changed', 'session_ended', 'export_requested'].map((event) => [
      event,
      null,
      'success',
    ]),
  )
})

test('a command that names nobody, breaks a rule or gets a bad value changes nothing and ends with code 1', async (t) => {
  const { user, start, directory } = await openUsers(t)
  await user(['create', '--email', ada, ...superadmin], `${password}\n`)
  const taken = join(directory, 'taken.json')
  await writeFile(taken, 'mine')
  const refusals: [args: string[], sentence: RegExp, input?: string][] = [
    [['set-role', ada, 'admin'], /^At least one superadmin must remain\n$/],
    [['set-role', ada, 'boss'], /^The role must be one of superadmin, admin, customer, writer\n$/],
    [['end-sessions', 'nobody'], /^There is no user "nobody": pass the id, the email address or the user name/],
    [['create', '--email', ada], /^Email already registered\n$/],
    [['create', '--email', 'weak@example.com', '--password-stdin'], /^Password is too common/, 'password1\n'],
    [['create', '--email', 'none@example.com', '--password-stdin'], /^No password was given/],
    [['list', '--limit', '101'], /^--limit must be a whole number from 1 to 100\n$/],
    [['export', ada, taken], /taken\.json already exists: name a new file\n$/],
  ]
  for (const [args, sentence, input] of refusals) {
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

const superadmin = ['--role', 'superadmin', '--password-stdin']

interface AuditEvent {
  event: string
  outcome: string
  actor_id: string | null
  actor_role: string
  details: Record<string, unknown>
}

async function openUsers(t: TestContext) {
  const { run, directory, dataDir } = await openWorkplace(t)
  const env = { DATA_DIR: dataDir }
  return {
    directory,
    user: (args: string[], input = '') => run(['user', ...args], { env, input }),
    async start() {
      const service = await startService(env)
      t.after(() => service.kill())
      return service
    },
  }
}

async function signIn({ url }: Service): Promise<string> {
  const reply = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: ada, password }),
  })
  assert.equal(reply.status, 200)
  return ((await reply.json()) as { sessionId: string }).sessionId
}

// biome-ignore lint/suspicious/noExplicitAny: a reply is whatever the service sent; the tests look at its members.
async function getJson({ url }: Service, path: string, session: string): Promise<any> {
  const reply = await fetch(`${url}${path}`, { headers: { 'x-session-id': session } })
  assert.equal(reply.status, 200)
  return reply.json()
}

async function mailTo({ url }: Service, address: string): Promise<string> {
  const [mail] = (await (await fetch(`${url}/dev/inbox.json?to=${address}`)).json()) as { text: string }[]
  return mail?.text ?? ''
}

async function statusOf({ url }: Service, session: string): Promise<number> {
  const reply = await fetch(`${url}/auth/me`, { headers: { 'x-session-id': session } })
  await reply.body?.cancel()
  return reply.status
}
