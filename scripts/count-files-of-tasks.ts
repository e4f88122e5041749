import assert from 'node:assert/strict'
import { Session } from 'node:inspector/promises'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { newId } from '../src/lib/ids.ts'
import { seal } from '../src/lib/seal.ts'
import { insertMessage } from '../src/outbox/queries.ts'
import { confirm, startedChange } from '../test/email-addresses/change-support.ts'
import { somebody } from '../test/modules/blog/support.ts'
import { linkIn, visitor } from '../test/screens/support.ts'
import { registered, type SignedIn, withSession } from '../test/support/people.ts'
import { startTestApp, type TestApp } from '../test/support/test-app.ts'
import { verify, withTotp } from '../test/two-factor/support.ts'

// Prints how many files a task touches: those with a function that was called during the task. Files that every request
// uses (server, limits, session, replies), files that every page with a form uses, and background jobs are counted
// separately.
const root = join(import.meta.dirname, '..')
const env = { BLOG_ENABLED: 'true' }
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

const app = await startTestApp({ modules: ['two-factor', 'blog'], env })
try {
  const ada = await withTotp(app)
  const grace = await registered(app, 'grace')
  const [alan, root] = [await somebody(app, 'writer'), await somebody(app, 'admin')]
  const barbara = await registered(app)
  const browser = visitor(app)
  const mine = { headers: { 'x-session-id': grace.sessionToken } }

  // The delivery of an email is a background job as well. Without a commit, it starts within a second.
  for (const { email } of [ada, grace, alan, root, barbara]) await app.mailTo(email)
  await queueMail(app, 'nobody@example.com')

  // The first check of a password measures how long one takes.
  await app.post('/auth/login', { email: grace.email, password: grace.password })
  const anyRequest = await filesOf(async () => {
    await app.get('/auth/me', mine)
    await app.get('/auth/me', { headers: { cookie: `session_id=${grace.sessionToken}` } })
    await app.get('/auth/users?limit=1', withSession(root.sessionToken))
    await app.call('PUT', '/auth/profile', { ...mine, body: { name: 'Grace' } })
    // Files used by background jobs, such as the one that records session use, are also excluded from the tasks.
    await app.mailTo('nobody@example.com')
    await sleep(5_000)
  })
  assert.ok(anyRequest.has('src/jobs/deliver.ts'), 'the email was delivered too early; run the script again')
  const anyPage = await filesOf(async () => {
    assert.equal((await browser.open('/login')).status, 200)
    await browser.open('/register')
    assert.equal((await browser.send('/register', { email: 'nobody', password: '' })).status, 400)
  })

  const tasks: [string, Set<string>, () => Promise<void>][] = [
    ['sign-in with a second factor', anyRequest, () => signIn(app, ada)],
    ['password reset by pages', new Set([...anyRequest, ...anyPage]), () => resetPassword(app, grace.email)],
    ['create a post', anyRequest, async () => void (await alan.write())],
    ['change an email address', anyRequest, () => changeAddress(app, barbara)],
  ]
  process.stdout.write(`${'any request'.padEnd(45)} ${anyRequest.size}\n${'any page'.padEnd(45)} ${anyPage.size}\n`)
  for (const [title, shared, work] of tasks) {
    const files = await filesOf(work)
    const own = [...files].filter((file) => !shared.has(file)).sort()
    process.stdout.write(`${title.padEnd(45)} ${own.length} of its own, ${files.size} with what all requests share\n`)
    if (process.argv.includes('--names')) process.stdout.write(own.map((file) => `  ${file}\n`).join(''))
  }
} finally {
  await app.stop()
}

async function queueMail({ ctx }: TestApp, to: string): Promise<void> {
  const given = { app_name: 'Wardenry', name: 'Grace', time: ctx.clock.date().toISOString(), ip: '192.0.2.1' }
  const variables = { ...given, user_agent: 'curl', support_url: 'https://example.com/help' }
  await insertMessage(ctx.db, {
    id: newId(),
    channel: 'mail',
    message: 'password_changed',
    payload: seal(ctx.dataKeys, JSON.stringify({ to, lang: 'en', variables })),
    created_at: ctx.clock.date(),
    expires_at: null,
  })
}

async function signIn(at: TestApp, { email, password, code }: Awaited<ReturnType<typeof withTotp>>): Promise<void> {
  const { json } = await at.post('/auth/login', { email, password })
  const done = await verify(at, json.sessionId, { code: code() })
  assert.equal(done.status, 200, done.text)
}

async function resetPassword(at: TestApp, email: string): Promise<void> {
  const visits = visitor(at)
  await visits.open('/forgot')
  await visits.send('/forgot', { email })
  await visits.open(linkIn(await at.mailTo(email, 1)))
  await visits.open('/reset-password')
  const done = await visits.send('/reset-password', { password: 'moths around a quiet lamp' })
  assert.equal(done.status, 303, done.text)
}

async function changeAddress(at: TestApp, user: SignedIn): Promise<void> {
  const { current, fresh } = await startedChange(at, user)
  for (const token of [current, fresh]) assert.equal((await confirm(at, token)).status, 200)
}

/** Files in src with a function that was called during the task. */
async function filesOf(work: () => Promise<void>): Promise<Set<string>> {
  await session.post('Profiler.takePreciseCoverage')
  await work()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const called = result.filter(({ url, functions }) =>
    functions.some(({ functionName, ranges }) => isOurs(url) && functionName !== '' && (ranges[0]?.count ?? 0) > 0),
  )
  return new Set(called.map(({ url }) => relative(root, fileURLToPath(url))))
}

function isOurs(url: string): boolean {
  return url.startsWith(`file://${root}/src/`)
}
