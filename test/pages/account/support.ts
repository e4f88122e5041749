import { registered, type SignedIn } from '../../support/people.ts'
import type { TestApp } from '../../support/test-app.ts'
import { type Visitor, visitor } from '../support.ts'

/** Somebody new in a browser without scripts, signed in by the pages. */
export async function memberOf(app: TestApp, more: Record<string, unknown> = {}): Promise<SignedIn & Visitor> {
  const ada = await registered(app, 'ada', more)
  return { ...ada, ...(await signedInBrowser(app, ada)) }
}

/** One more browser of the same person. */
export async function signedInBrowser(app: TestApp, { email, password }: SignedIn): Promise<Visitor> {
  const browser = visitor(app)
  await browser.open('/login')
  const reply = await browser.send('/login', { identifier: email, password })
  if (reply.status !== 303) throw new Error(`sign-in failed: ${reply.text}`)
  return browser
}
