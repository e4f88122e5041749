import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import type { Wardenry } from './create-wardenry.ts'
import type { ValidatedCredential } from './credential.ts'
import { handlerMembers } from './handler-members.ts'
import type { RequestLike } from './request.ts'
import { type CredentialRule, type Rule, ruleOf } from './rule.ts'
import type { User } from './session.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The user, set by `requireUser`. */
    user?: User | undefined
    /** The session or API key, set by `requireUser` with a rule that has `kinds`. */
    credential?: ValidatedCredential | undefined
  }
}

/** `app.addHook('onRequest', routes(wardenry))`: handles the sign-in, callback and sign-out paths. */
export const routes =
  (wardenry: Wardenry): onRequestAsyncHookHandler =>
  async (request, reply) => {
    const response = await wardenry.handle(asSent(request))
    if (response) return send(response, reply)
  }

/** `app.get('/orders', { onRequest: requireUser(wardenry) }, …)`: sets `request.user`. */
export const requireUser = (
  wardenry: Wardenry,
  ...rules: [rule?: Rule | CredentialRule]
): onRequestAsyncHookHandler => {
  const rule = ruleOf(rules)
  return async (request, reply) => {
    const result = await wardenry.requireUser(asSent(request), rule)
    if (result instanceof Response) return send(result, reply)
    Object.assign(request, handlerMembers(rule, result))
  }
}

const asSent = ({ headers, method, originalUrl, raw }: FastifyRequest): RequestLike => ({
  headers,
  method,
  originalUrl,
  rawHeaders: raw.rawHeaders,
})

async function send(response: Response, reply: FastifyReply): Promise<FastifyReply> {
  for (const [name, value] of response.headers) reply.header(name, value)
  return reply.code(response.status).send(await response.text())
}
