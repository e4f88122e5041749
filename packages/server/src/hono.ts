import type { Wardenry } from './create-wardenry.ts'
import type { ValidatedCredential } from './credential.ts'
import { handlerMembers } from './handler-members.ts'
import { type CredentialRule, type Rule, ruleOf } from './rule.ts'
import type { User } from './session.ts'

interface HonoContext {
  req: { raw: Request }
  // biome-ignore lint/suspicious/noExplicitAny: each application's context has its own variables.
  set: any
}

type Next = () => Promise<void>

/** The variables for `new Hono<{ Variables: WardenryVariables }>()`. */
export interface WardenryVariables {
  user: User
  /** The session or API key, if the rule has `kinds`. `user` is then undefined for the key of a service account. */
  credential?: ValidatedCredential
}

/** `app.use(routes(wardenry))`: handles the sign-in, callback and sign-out paths. */
export const routes =
  (wardenry: Wardenry) =>
  async ({ req }: HonoContext, next: Next): Promise<Response | undefined> => {
    const response = await wardenry.handle(req.raw)
    if (response) return response
    await next()
    return undefined
  }

/** `app.get('/orders', requireUser(wardenry), …)`: sets `c.get('user')`. */
export const requireUser = (wardenry: Wardenry, ...rules: [rule?: Rule | CredentialRule]) => {
  const rule = ruleOf(rules)
  return async (context: HonoContext, next: Next): Promise<Response | undefined> => {
    const result = await wardenry.requireUser(context.req.raw, rule)
    if (result instanceof Response) return result
    for (const [name, value] of Object.entries(handlerMembers(rule, result))) context.set(name, value)
    await next()
    return undefined
  }
}
