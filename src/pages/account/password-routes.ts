import { shortestPassword } from '../../config/password-rules.ts'
import type { Context } from '../../context.ts'
import { anyone } from '../../http/access.ts'
import type { Routes } from '../../http/create-server.ts'
import { visitOf } from '../visit.ts'
import { asMember, type Member } from './member.ts'
import { type PasswordPage, passwordPage } from './password-page.ts'
import { PasswordFormRoute, PasswordRoute } from './schemas.ts'

const path = '/account/password'

/** A person's own password. */
export const passwordPageRoutes =
  (ctx: Context): Routes =>
  (http) => {
    const read = { access: anyone, limit: 'read', hidden: true } as const
    http.get(path, { schema: PasswordRoute, config: read }, (request, reply) =>
      asMember(ctx, visitOf(ctx, http, request, reply), path, (member) =>
        show(ctx, member, { done: request.query.done }),
      ),
    )

    const form = { access: anyone, limit: 'write', hidden: true, form: true } as const
    http.post(path, { schema: PasswordFormRoute, config: form }, (request, reply) =>
      asMember(ctx, visitOf(ctx, http, request, reply), path, async (member) => {
        const { page, ...body } = request.body
        if (!(await member.isOwn(path, page))) return show(ctx, member, { refusal: { code: 'PAGE_EXPIRED' } }, 400)
        const answer = await member.api({ method: 'POST', path: '/auth/password-change/self', body })
        if (!answer.ok) return show(ctx, member, { refusal: answer.refusal }, answer.status)
        return member.go(`${path}?done=password_saved`)
      }),
    )
  }

function show(
  { config }: Context,
  { area, profile, sign, show: send }: Member,
  more: Pick<PasswordPage, 'done' | 'refusal'>,
  status?: number,
) {
  const { user, has_password: hasPassword } = profile
  const data = { area, form: sign(path), user, hasPassword, minPasswordLength: shortestPassword(config), ...more }
  return send((page) => passwordPage(data, page), status)
}
