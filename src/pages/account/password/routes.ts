import { minPasswordLength } from '../../../config/password-rules.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../http/server/create-server.ts'
import { anyonePosts, anyoneReads } from '../../shared/declare-pages.ts'
import { type Member, memberPages } from '../shared/member.ts'
import { PasswordFormRoute, PasswordRoute } from '../shared/schemas.ts'
import { type PasswordPage, passwordPage } from './view.ts'

const path = '/account/password'

export const passwordPageRoutes =
  (ctx: Context): Routes =>
  (http) => {
    const pages = memberPages(ctx, http, path)
    pages.get(path, { schema: PasswordRoute, config: anyoneReads }, (member, { query }) =>
      show(ctx, member, { done: query.done }),
    )

    pages.post(path, { schema: PasswordFormRoute, config: anyonePosts }, async (member, request) => {
      const { form_token: formToken, ...body } = request.body
      const answer = await member.submit(path, formToken, { method: 'POST', path: '/auth/password-change/self', body })
      if (!answer.ok) return show(ctx, member, { refusal: answer.refusal }, answer.status)
      return member.go(`${path}?done=password_saved`)
    })
  }

function show(
  { config }: Context,
  { area, profile, sign, show: send }: Member,
  more: Pick<PasswordPage, 'done' | 'refusal'>,
  status?: number,
) {
  const { user, has_password: hasPassword } = profile
  const data = { area, form: sign(path), user, hasPassword, minPasswordLength: minPasswordLength(config), ...more }
  return send((page) => passwordPage(data, page), status)
}
