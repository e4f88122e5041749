import { sql } from 'kysely'
import type { Reply, TestApp } from './test-app.ts'

/** A password for each person that the password policy accepts. None of them occurs in the documentation. */
const passwords = { ada: 'nine harbour bells at dawn', grace: 'moths around the relay', alan: 'a tape without an end' }

/** Passwords that must not occur in any response, log line or row. */
export const knownPasswords: readonly string[] = Object.values(passwords)

export type PersonName = keyof typeof passwords

let count = 0

export interface Person {
  email: string
  user_name: string
  password: string
}

/** The data of a person who has not registered yet. Each call returns a different person. */
export function person(name: PersonName = 'ada'): Person {
  count++
  return { email: `${name}.${count}@example.com`, user_name: `${name}_${count}`, password: passwords[name] }
}

export interface SignedIn extends Person {
  id: string
  sessionToken: string
  reply: Reply
}

/** Registers a new user. The user is signed in unless the email address must be verified first. */
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

/** A new, signed-in user with this role. */
export async function signedInAs(app: TestApp, role: string, name: PersonName = 'grace'): Promise<SignedIn> {
  const somebody = await registered(app, name)
  await sql`UPDATE users SET user_type = ${role} WHERE id = ${somebody.id}`.execute(app.ctx.db)
  return somebody
}

export const withSession = (sessionToken: string) => ({ headers: { 'x-session-id': sessionToken } })
