import { registered, type SignedIn } from '../../support/people.ts'
import type { TestApp } from '../../support/test-app.ts'
import { type Visitor, visitor } from '../support.ts'

/** A new user who has signed in on the pages, in a browser without scripts. */
export async function memberOf(app: TestApp, more: Record<string, unknown> = {}): Promise<SignedIn & Visitor> {
  const ada = await registered(app, 'ada', more)
  return { ...ada, ...(await signedInBrowser(app, ada)) }
}

/** Signs in the same user in another browser. */
export async function signedInBrowser(app: TestApp, { email, password }: SignedIn): Promise<Visitor> {
  const browser = visitor(app)
  await browser.open('/login')
  const reply = await browser.send('/login', { identifier: email, password })
  if (reply.status !== 303) throw new Error(`sign-in failed: ${reply.text}`)
  return browser
}
