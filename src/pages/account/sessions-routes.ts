import type { Context } from '../../context.ts'
import { anyone } from '../../http/access.ts'
import type { Routes } from '../../http/create-server.ts'
import { visitOf } from '../visit.ts'
import { asMember, type Member } from './member.ts'
import { EndOthersFormRoute, EndSessionFormRoute, SessionsRoute } from './schemas.ts'
import { type OwnSession, type SessionsPage, sessionsPage } from './sessions-page.ts'

const path = '/account/sessions'
const endPath = `${path}/end`
const endOthersPath = `${path}/end-others`
const endpoint = '/auth/sessions'

/** Where somebody is signed in. */
export const sessionsRoutes =
  (ctx: Context): Routes =>
  (http) => {
    const read = { access: anyone, limit: 'read', hidden: true } as const
    http.get(path, { schema: SessionsRoute, config: read }, (request, reply) =>
      asMember(ctx, visitOf(ctx, http, request, reply), path, (member) =>
        show(ctx, member, { done: request.query.done }),
      ),
    )

    const form = { access: anyone, limit: 'write', hidden: true, form: true } as const
    http.post(endPath, { schema: EndSessionFormRoute, config: form }, (request, reply) =>
      asMember(ctx, visitOf(ctx, http, request, reply), path, async (member) => {
        const { id, page } = request.body
        if (!(await member.isOwn(endPath, page))) return show(ctx, member, { problem: 'PAGE_EXPIRED' }, 400)
        const answer = await member.api({ method: 'DELETE', path: `${endpoint}/${encodeURIComponent(id)}` })
        if (!answer.ok) return show(ctx, member, { problem: answer.refusal.code }, answer.status)
        return member.go(`${path}?done=session_ended`)
      }),
    )

    http.post(endOthersPath, { schema: EndOthersFormRoute, config: form }, (request, reply) =>
      asMember(ctx, visitOf(ctx, http, request, reply), path, async (member) => {
        if (!(await member.isOwn(endOthersPath, request.body.page)))
          return show(ctx, member, { problem: 'PAGE_EXPIRED' }, 400)
        const answer = await member.api({ method: 'DELETE', path: endpoint })
        if (!answer.ok) return show(ctx, member, { problem: answer.refusal.code }, answer.status)
        return member.go(`${path}?done=others_ended`)
      }),
    )
  }

async function show({ clock }: Context, member: Member, more: Pick<SessionsPage, 'done' | 'problem'>, status?: number) {
  const answer = await member.api<{ data: { sessions: OwnSession[] } }>({ method: 'GET', path: endpoint })
  const sessions = answer.ok ? answer.body.data.sessions : []
  const forms = { end: member.sign(endPath), endOthers: member.sign(endOthersPath) }
  const timeZone = member.profile.user.tmz
  const data = { area: member.area, forms, sessions, now: clock.now(), timeZone, ...more }
  return member.show((page) => sessionsPage(data, page), status)
}
