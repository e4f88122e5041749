import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { type Service, startService } from '../support/child.ts'
import { openPlace } from './place.ts'

export const password = 'seven quiet river stones'
export const ada = 'ada@example.com'

/** `wardenry user create` options for a superadmin with a password. */
export const superadmin = ['--role', 'superadmin', '--password-stdin']

export interface AuditEvent {
  event: string
  outcome: string
  actor_id: string | null
  actor_role: string
  details: Record<string, unknown>
}

export async function openUsers(t: TestContext) {
  const { run, runProcess, directory, env } = await openPlace(t)
  return {
    directory,
    user: (args: string[], input = '') => run(['user', ...args], { env, input }),
    /** Like `user`, in a process of its own. */
    userProcess: (args: string[], input = '') => runProcess(['user', ...args], { env, input }),
    async start() {
      const service = await startService(env)
      t.after(() => service.kill())
      return service
    },
  }
}

export async function signIn({ url }: Service): Promise<string> {
  const reply = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: ada, password }),
  })
  assert.equal(reply.status, 200)
  return ((await reply.json()) as { sessionId: string }).sessionId
}

// biome-ignore lint/suspicious/noExplicitAny: the type of a reply is not known at compile time.
export async function getJson({ url }: Service, path: string, session: string): Promise<any> {
  const reply = await fetch(`${url}${path}`, { headers: { 'x-session-id': session } })
  assert.equal(reply.status, 200)
  return reply.json()
}

export async function mailTo({ url }: Service, address: string): Promise<string> {
  const [mail] = (await (await fetch(`${url}/dev/inbox.json?to=${address}`)).json()) as { text: string }[]
  return mail?.text ?? ''
}

export async function statusOf({ url }: Service, session: string): Promise<number> {
  const reply = await fetch(`${url}/auth/me`, { headers: { 'x-session-id': session } })
  await reply.body?.cancel()
  return reply.status
}
