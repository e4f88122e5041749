import type { IncomingMessage } from 'node:http'
import type { Wardenry } from './create-wardenry.ts'
import type { ValidatedCredential } from './credential.ts'
import { handlerMembers } from './handler-members.ts'
import { type CredentialRule, type Rule, ruleOf } from './rule.ts'
import { type NodeResponse, sendResponse } from './send-response.ts'
import type { User as WardenryUser } from './session.ts'

declare global {
  namespace Express {
    interface User extends WardenryUser {}
    interface Request {
      /** The user, set by `requireUser`. */
      user?: User | undefined
      /** The session, API key or access token, set by `requireUser` with a rule that has `kinds`. */
      credential?: ValidatedCredential | undefined
    }
  }
}

type Next = (error?: unknown) => void
type Handler = (request: IncomingMessage, reply: NodeResponse, next: Next) => void

/**
 * `app.use(routes(wardenry))`: handles the sign-in, callback and sign-out paths. Also works with Connect and
 * `node:http`.
 */
export const routes =
  (wardenry: Wardenry): Handler =>
  (request, reply, next) => {
    const answer = async () => {
      const response = await wardenry.handle(request)
      if (!response) return next()
      await sendResponse(response, reply)
    }
    answer().catch(next)
  }

/** `app.get('/orders', requireUser(wardenry), …)`: sets `request.user`. */
export const requireUser = (wardenry: Wardenry, ...rules: [rule?: Rule | CredentialRule]): Handler => {
  const rule = ruleOf(rules)
  return (request, reply, next) => {
    const decide = async () => {
      const result = await wardenry.requireUser(request, rule)
      if (result instanceof Response) return sendResponse(result, reply)
      Object.assign(request, handlerMembers(rule, result))
      next()
    }
    decide().catch(next)
  }
}
