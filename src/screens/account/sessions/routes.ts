import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { EndOthersRoute, EndOwnRoute, OwnSessionsRoute } from '../../../profile/session-schemas.ts'
import { type AccountVisit, accountPages } from '../../../ui/account/account-visit.ts'
import { call } from '../../../ui/shared/api-route.ts'
import { postedByAnyone, readByAnyone } from '../../../ui/shared/declare-pages.ts'
import { EndOthersFormRoute, EndSessionFormRoute, SessionsRoute } from '../schemas.ts'
import { type SessionsPage, sessionsPage } from './view.ts'

const path = '/account/sessions'
const endPath = `${path}/end`
const endOthersPath = `${path}/end-others`

export const sessionsRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = accountPages(ctx, http, path)
    pages.get(path, { schema: SessionsRoute, config: readByAnyone }, (member, { query }) =>
      show(ctx, member, { done: query.done }),
    )

    pages.post(endPath, { schema: EndSessionFormRoute, config: postedByAnyone }, async (member, request) => {
      const { id, form_token: formToken } = request.body
      const response = await member.submit(endPath, formToken, call(EndOwnRoute, { params: { session_id: id } }))
      if (!response.ok) return show(ctx, member, { problem: response.rejection.code }, response.status)
      return member.go(`${path}?done=session_ended`)
    })

    pages.post(endOthersPath, { schema: EndOthersFormRoute, config: postedByAnyone }, async (member, request) => {
      const response = await member.submit(endOthersPath, request.body.form_token, call(EndOthersRoute))
      if (!response.ok) return show(ctx, member, { problem: response.rejection.code }, response.status)
      return member.go(`${path}?done=others_ended`)
    })
  }

async function show(
  { clock, config }: Context,
  member: AccountVisit,
  more: Pick<SessionsPage, 'done' | 'problem'>,
  status?: number,
) {
  const response = await member.api(call(OwnSessionsRoute))
  const sessions = response.ok ? response.body.data.sessions : []
  const forms = { end: member.sign(endPath), endOthers: member.sign(endOthersPath) }
  const timeZone = member.profile.user.tmz
  const data = {
    area: member.area,
    forms,
    sessions,
    now: clock.now(),
    timeZone,
    hasPasswords: config.PASSWORDS_ENABLED,
    ...more,
  }
  return member.show((page) => sessionsPage(data, page), status)
}
