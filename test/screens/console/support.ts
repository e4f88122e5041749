import { sql } from 'kysely'
import type { SignedIn } from '../../support/people.ts'
import { registered } from '../../support/people.ts'
import type { TestApp } from '../../support/test-app.ts'
import { signedInBrowser } from '../account/support.ts'
import type { Visitor } from '../support.ts'

/** A new user with this role, in a browser without scripts. */
export async function staffOf(app: TestApp, role: string): Promise<SignedIn & Visitor> {
  const grace = await registered(app, 'grace')
  await sql`UPDATE users SET user_type = ${role} WHERE id = ${grace.id}`.execute(app.ctx.db)
  return { ...grace, ...(await signedInBrowser(app, grace)) }
}
