import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Service, startService } from '../support/child.ts'
import { person } from '../support/people.ts'
import { openPlace } from './place.ts'

test('sessions end-all ends every session and invalidates every unused link, while the service is stopped', async (t) => {
  const { run, runProcess, env } = await openPlace(t)
  const endAll = (...args: string[]) => run(['sessions', 'end-all', ...args], { env })
  const service = await startService(env)
  t.after(() => service.kill())
  const people = [await signUp(service, 'ada'), await signUp(service, 'grace')]

  for (const { sessionToken } of people) assert.equal(await statusOf(service, sessionToken), 200)
  await service.stop()

  const asked = await endAll()
  assert.deepEqual([asked.code, asked.stdout], [1, ''])
  assert.match(asked.stderr, /signs everyone out.*\nAdd --yes to confirm\. Nothing was changed\./)
  const second = await startService(env)
  t.after(() => second.kill())
  for (const { sessionToken } of people) assert.equal(await statusOf(second, sessionToken), 200)
  await second.stop()

  const { code, stdout, stderr } = await runProcess(['sessions', 'end-all', '--yes'], { env })
  assert.equal(code, 0, stderr)
  // Two verification links, and the set-up link from the last start.
  assert.equal(stdout, 'Ended 2 sessions and invalidated 3 unused links and codes.\n')
  assert.match((await endAll('--yes')).stdout, /^Ended 0 sessions and invalidated 0 unused links and codes\./)

  const third = await startService(env)
  t.after(() => third.kill())
  for (const { sessionToken, token } of people) {
    assert.equal(await statusOf(third, sessionToken), 401)
    const link = await fetch(`${third.url}/auth/token/verify?format=json&token=${token}`)
    assert.equal(link.status, 400)
  }
})

async function signUp({ url }: Service, name: 'ada' | 'grace') {
  const { email, password } = person(name)
  const reply = await fetch(`${url}/auth/register/public`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const { sessionId } = (await reply.json()) as { sessionId: string }
  for (;;) {
    const inbox = await fetch(`${url}/dev/inbox.json?to=${email}`)
    const [message] = (await inbox.json()) as { text: string }[]
    const token = /token=([\w-]+)/.exec(message?.text ?? '')?.[1]
    if (token) return { sessionToken: sessionId, token }
    await sleep(50)
  }
}

async function statusOf({ url }: Service, sessionToken: string): Promise<number> {
  const reply = await fetch(`${url}/auth/me`, { headers: { 'x-session-id': sessionToken } })
  await reply.body?.cancel()
  return reply.status
}
