import type { Context } from '../context.ts'
import { secondStepPath } from './login-page.ts'
import { afterSignIn } from './offered-ways.ts'
import type { Visit } from './visit.ts'

/** What every sign-in answers. The session itself is in the cookie, and no business of a page. */
export interface SignedIn {
  requires_2fa: boolean
}

/** The first step is done. */
export const goOn = ({ config }: Context, visit: Visit, { requires_2fa }: SignedIn) =>
  visit.go(requires_2fa ? secondStepPath : afterSignIn(config))
