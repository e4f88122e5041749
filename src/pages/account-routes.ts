import type { Context } from '../context.ts'
import { anyone } from '../http/access.ts'
import type { Routes } from '../http/create-server.ts'
import { accountPage } from './account-page.ts'
import { secondStepPath } from './login-page.ts'
import * as schemas from './schemas.ts'
import { visitOf } from './visit.ts'

interface Me {
  requires_2fa?: boolean
  user: { name: string; email: string }
}

/** The pages of somebody who is signed in, and the way out. */
export const accountRoutes =
  (ctx: Context): Routes =>
  (http) => {
    const read = { access: anyone, limit: 'read', hidden: true } as const
    http.get('/account', { schema: schemas.AccountRoute, config: read }, async (request, reply) => {
      const visit = visitOf(ctx, http, request, reply)
      const me = await visit.api<Me>({ method: 'GET', path: '/auth/me' })
      if (!me.ok) return visit.go('/login')
      if (me.body.requires_2fa) return visit.go(secondStepPath)
      return visit.show((page) => accountPage({ user: me.body.user, logoutForm: visit.sign('/logout') }, page))
    })

    const form = { access: anyone, limit: 'write', hidden: true, form: true } as const
    http.post('/logout', { schema: schemas.LogoutFormRoute, config: form }, async (request, reply) => {
      const visit = visitOf(ctx, http, request, reply)
      // Whoever has no session any more is where they wanted to be.
      if (!visit.isOwn('/logout', request.body.page)) return visit.go('/account')
      await visit.api({ method: 'POST', path: '/auth/logout' })
      return visit.go('/login?logout=success')
    })
  }
