import { LockoutsRoute, UnlockRoute } from '../../../admin/lockout-schemas.ts'
import { BridgeSecretsRoute, SecurityFiguresRoute } from '../../../admin/security-schemas.ts'
import { AuditRoute } from '../../../audit/schemas.ts'
import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { type AdminVisit, adminPages } from '../../../ui/console/admin-visit.ts'
import { unlockPath } from '../../../ui/console/entries.ts'
import { call } from '../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../ui/shared/call-api.ts'
import { postedByAnyone, readByAnyone } from '../../../ui/shared/declare-pages.ts'
import { userPagePath } from '../users/shared.ts'
import { SecurityPageRoute, UnlockFormRoute } from './schemas.ts'
import { securityPage, watchedEvents } from './view.ts'

const path = '/admin/security'

export const securityPageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = adminPages(ctx, http, path)
    const show = async (member: AdminVisit, outcome: { done?: string; rejection?: ApiRejection }, status?: number) => {
      const locks = await member.read(call(LockoutsRoute))
      const { secrets } = await member.read(call(BridgeSecretsRoute))
      const figures = await member.read(call(SecurityFiguresRoute))
      const events = []
      for (const event of watchedEvents) {
        const found = await member.read(call(AuditRoute, { query: { event, limit: 5, count_limit: 5 } }))
        events.push({ event, found: found.events })
      }
      const data = {
        area: member.area,
        mayAct: member.can('users:unlock'),
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
      const unlock = call(UnlockRoute, { params: { user_id: body.user_id }, body: {} })
      const response = await member.submit(unlockPath, body.form_token, unlock)
      if (!response.ok) return show(member, { rejection: response.rejection }, response.status)
      return member.go(`${body.from === 'person' ? userPagePath(body.user_id) : path}?done=unlocked`)
    })
  }
