import { OverviewRoute } from '../../../admin/overview-schemas.ts'
import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { type AdminVisit, adminPages } from '../../../ui/console/admin-visit.ts'
import { ConsoleRoute } from '../../../ui/console/schemas.ts'
import { call } from '../../../ui/shared/api-route.ts'
import { readByAnyone } from '../../../ui/shared/declare-pages.ts'
import { displayNameOf } from '../../../ui/shared/profile.ts'
import { ListWebhooksRoute } from '../../../webhooks/schemas.ts'
import { webhooksPath } from '../webhooks/paths.ts'
import { readChecklist } from './checklist.ts'
import { consoleOverviewPage, shownRanges } from './view.ts'

const path = '/admin'

export const overviewRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = adminPages(ctx, http, path)
    pages.get(path, { schema: ConsoleRoute, config: readByAnyone }, async (member, { query }) => {
      const { user } = member.profile
      const range = shownRanges.find((name) => name === query.range) ?? '30d'
      const figures = await member.read(call(OverviewRoute, { query: { range } }))
      const viewer = { name: displayNameOf(user), role: user.user_type }
      const checklist = await readChecklist(ctx, member)
      const failingWebhooks = await countFailingWebhooks(member)
      const data = {
        area: member.area,
        viewer,
        checklist,
        figures,
        failingWebhooks,
        range,
        now: ctx.clock.now(),
        done: query.done,
      }
      return member.show((page) => consoleOverviewPage(data, page))
    })
  }

/** Returns zero if the role may not read webhooks. */
async function countFailingWebhooks({ area, read }: AdminVisit): Promise<number> {
  if (!area.entries.some((entry) => entry.path === webhooksPath)) return 0
  const { webhooks } = await read(call(ListWebhooksRoute))
  return webhooks.filter(({ enabled, failing_since, disabled_reason }) => (enabled ? failing_since : disabled_reason))
    .length
}
