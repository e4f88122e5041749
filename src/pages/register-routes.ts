import { shortestPassword } from '../config/password-rules.ts'
import type { Context } from '../context.ts'
import { anyone } from '../http/access.ts'
import type { Routes } from '../http/create-server.ts'
import type { Refusal } from './call-api.ts'
import { secondStepPath } from './login-page.ts'
import { noticePage, registrationClosed } from './notice-page.ts'
import { takesRegistrations } from './offered-ways.ts'
import { type RegisterFields, registerPage } from './register-page.ts'
import * as schemas from './schemas.ts'
import { verifyEmailPath } from './verify-email-page.ts'
import { type Visit, visitOf } from './visit.ts'

const path = '/register'

/** Where people make an account for themselves. */
export const registerRoutes =
  (ctx: Context): Routes =>
  (http) => {
    const read = { access: anyone, limit: 'read', hidden: true } as const
    http.get(path, { schema: schemas.RegisterPageRoute, config: read }, (request, reply) =>
      ask(ctx, visitOf(ctx, http, request, reply), {}),
    )

    const form = { access: anyone, limit: 'write', hidden: true, form: true } as const
    http.post(path, { schema: schemas.RegisterFormRoute, config: form }, async (request, reply) => {
      const visit = visitOf(ctx, http, request, reply)
      const { password, page, email, name, last_name } = request.body
      const given = { email, name, last_name }
      if (!(await visit.isOwn(path, page))) return ask(ctx, visit, { given, refusal: { code: 'PAGE_EXPIRED' } }, 400)
      const body = { ...given, password, lang: visit.lang }
      const answer = await visit.api<Registered>({ method: 'POST', path: '/auth/register/public', body })
      if (!answer.ok) return ask(ctx, visit, { given, refusal: answer.refusal }, answer.status)
      if (answer.body.requires_2fa) return visit.go(secondStepPath)
      visit.keep('registered', answer.body.data.user.email)
      return visit.go(verifyEmailPath)
    })
  }

/** What of the answer a page needs. Whether there is a session is in the cookie. */
interface Registered {
  requires_2fa?: boolean
  data: { user: { email: string } }
}

interface Asked {
  given?: RegisterFields
  refusal?: Refusal
}

function ask({ config }: Context, visit: Visit, asked: Asked, status?: number) {
  if (!takesRegistrations(config)) return visit.show((page) => noticePage(registrationClosed(page.lang), page), 403)
  const data = { page: visit.sign(path), minPasswordLength: shortestPassword(config), ...asked }
  return visit.show((page) => registerPage(data, page), status)
}
