import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Wardenry } from './create-wardenry.ts'
import { handlerMembers } from './handler-members.ts'
import { type CredentialRule, type Rule, ruleOf } from './rule.ts'

interface KoaContext {
  req: IncomingMessage
  res: ServerResponse
  originalUrl: string
  state: Record<string, unknown>
  status: number
  body: unknown
  set(name: string, value: string): void
  append(name: string, value: string[]): void
}

type Next = () => Promise<unknown>

/** `app.use(routes(wardenry))`: handles the sign-in, callback and sign-out paths. */
export const routes =
  (wardenry: Wardenry) =>
  async (context: KoaContext, next: Next): Promise<void> => {
    const response = await wardenry.handle(asSent(context))
    if (response) await send(response, context)
    else await next()
  }

/** `router.get('/orders', requireUser(wardenry), …)`: sets `ctx.state.user`. */
export const requireUser = (wardenry: Wardenry, ...rules: [rule?: Rule | CredentialRule]) => {
  const rule = ruleOf(rules)
  return async (context: KoaContext, next: Next): Promise<void> => {
    const result = await wardenry.requireUser(asSent(context), rule)
    if (result instanceof Response) return send(result, context)
    Object.assign(context.state, handlerMembers(rule, result))
    await next()
  }
}

const asSent = ({ req, originalUrl }: KoaContext) => ({
  headers: req.headers,
  rawHeaders: req.rawHeaders,
  method: req.method ?? 'GET',
  originalUrl,
})

async function send(response: Response, context: KoaContext): Promise<void> {
  context.status = response.status
  context.body = await response.text()
  // Koa has already set a content type, which `append` would not replace. Only cookies can occur more than once.
  for (const [name, value] of response.headers) if (name !== 'set-cookie') context.set(name, value)
  context.append('set-cookie', response.headers.getSetCookie())
}
