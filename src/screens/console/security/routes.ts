import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/create-server.ts'
import { type AdminVisit, adminPages } from '../../../ui/console/admin-visit.ts'
import { unlockPath } from '../../../ui/console/entries.ts'
import type { ApiRefusal } from '../../../ui/shared/call-api.ts'
import { postedByAnyone, readByAnyone } from '../../../ui/shared/declare-pages.ts'
import { personPath } from '../people/shared.ts'
import type { ShownAuditEvent } from '../shared/sentences.ts'
import type { SecurityFigures, ShownSecret } from './figures.ts'
import { SecurityPageRoute, UnlockFormRoute } from './schemas.ts'
import { type ShownLocks, securityPage, watchedEvents } from './view.ts'

const path = '/admin/security'

export const securityPageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = adminPages(ctx, http, path)
    const show = async (member: AdminVisit, outcome: { done?: string; refusal?: ApiRefusal }, status?: number) => {
      const locks = await member.read<ShownLocks>('/auth/admin/lockouts')
      const { secrets } = await member.read<{ secrets: ShownSecret[] }>('/auth/admin/bridge-secrets')
      const figures = await member.read<SecurityFigures>('/auth/admin/security')
      const events = []
      for (const event of watchedEvents) {
        const query = new URLSearchParams({ event, limit: '5', count_limit: '5' })
        const found = await member.read<{ events: ShownAuditEvent[] }>(`/auth/admin/audit?${query}`)
        events.push({ event, found: found.events })
      }
      const data = {
        area: member.area,
        mayAct: member.mayAct,
        locks,
        secrets,
        figures,
        events,
        form: member.sign(unlockPath),
        now: ctx.clock.now(),
        timeZone: member.profile.user.tmz,
        outcome,
      }
      return member.show((page) => securityPage(data, page), status)
    }

    pages.get(path, { schema: SecurityPageRoute, config: readByAnyone }, (member, { query }) =>
      show(member, query.done === undefined ? {} : { done: query.done }),
    )

    pages.post(unlockPath, { schema: UnlockFormRoute, config: postedByAnyone }, async (member, { body }) => {
      const api = `/auth/admin/users/${encodeURIComponent(body.user_id)}/unlock`
      const answer = await member.submit(unlockPath, body.form_token, { method: 'POST', path: api, body: {} })
      if (!answer.ok) return show(member, { refusal: answer.refusal }, answer.status)
      return member.go(`${body.from === 'person' ? personPath(body.user_id) : path}?done=unlocked`)
    })
  }
