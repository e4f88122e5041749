import { sql } from 'kysely'
import type { Reply, TestApp } from './test-app.ts'

/** Passwords that the policy accepts, one a person. None stands in an example of the documentation. */
const passwords = { ada: 'nine harbour bells at dawn', grace: 'moths around the relay', alan: 'a tape without an end' }

/** What no reply, log or row may ever hold. */
export const knownPasswords: readonly string[] = Object.values(passwords)

export type PersonName = keyof typeof passwords

let count = 0

export interface Person {
  email: string
  user_name: string
  password: string
}

/** A person whom the service does not know yet; every call gives another one. */
export function person(name: PersonName = 'ada'): Person {
  count++
  return { email: `${name}.${count}@example.com`, user_name: `${name}_${count}`, password: passwords[name] }
}

export interface SignedIn extends Person {
  id: string
  sessionToken: string
  reply: Reply
}

/** Registers somebody new, who is signed in by that unless addresses must be verified first. */
export async function registered(
  app: TestApp,
  name: PersonName = 'ada',
  more: Record<string, unknown> = {},
): Promise<SignedIn> {
  const somebody = person(name)
  const reply = await app.post('/auth/register/public', { ...somebody, ...more })
  if (reply.status !== 200) throw new Error(`registration failed: ${reply.text}`)
  return { ...somebody, id: reply.json.data.id, sessionToken: reply.json.sessionId, reply }
}

/** Somebody new with a role, signed in. */
export async function signedInAs(app: TestApp, role: string, name: PersonName = 'grace'): Promise<SignedIn> {
  const somebody = await registered(app, name)
  await sql`UPDATE users SET user_type = ${role} WHERE id = ${somebody.id}`.execute(app.ctx.db)
  return somebody
}

export const withSession = (sessionToken: string) => ({ headers: { 'x-session-id': sessionToken } })
