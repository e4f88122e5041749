import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { AppError } from '../../../../lib/errors.ts'
import { type AdminVisit, adminPages } from '../../../../ui/console/admin-visit.ts'
import { type ApiCall, call } from '../../../../ui/shared/api-route.ts'
import { postedByAnyone, readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { CancelByAdminRoute } from '../../deletion-schemas.ts'
import { ExportByAdminRoute } from '../../export-schemas.ts'
import { PrivacyRequestsRoute } from '../../request-list-schemas.ts'
import { RequestActionFormRoute, RequestsPageRoute, requestPaths } from './schemas.ts'
import { type RequestsPage, requestsPage } from './view.ts'

export const requestPageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = adminPages(ctx, http, requestPaths.list)
    const read = { ...readByAnyone, module: 'privacy' } as const
    const form = { ...postedByAnyone, module: 'privacy' } as const

    pages.get(requestPaths.list, { schema: RequestsPageRoute, config: read }, (member, { query }) =>
      showRequests(ctx, member, query, { done: query.done }),
    )

    for (const [path, { done, act }] of Object.entries(actions)) {
      pages.post(path, { schema: RequestActionFormRoute, config: form }, async (member, { body }) => {
        const response = await member.submit(path, body.form_token, act({ user_id: body.user_id ?? '' }))
        if (!response.ok) return showRequests(ctx, member, {}, { problem: response.rejection }, response.status)
        return member.go(`${requestPaths.list}?done=${done}`)
      })
    }
  }

const actions: Record<string, { done: string; act(params: { user_id: string }): ApiCall }> = {
  [requestPaths.cancel]: {
    done: 'cancelled',
    act: (params) => call(CancelByAdminRoute, { params }),
  },
  [requestPaths.export]: {
    done: 'sent',
    act: (params) => call(ExportByAdminRoute, { params, body: {} }),
  },
}

async function showRequests(
  ctx: Context,
  member: AdminVisit,
  search: { state?: string | undefined; page?: string | undefined },
  outcome: RequestsPage['outcome'],
  status?: number,
) {
  const state = search.state === 'closed' ? 'closed' : 'open'
  const page = /^[1-9]\d{0,5}$/.test(search.page ?? '') ? search.page : '1'
  const response = await member.api(call(PrivacyRequestsRoute, { query: { state, page, limit: 25 } }))
  if (!response.ok) throw new AppError(response.status === 403 ? 'FORBIDDEN' : 'UNAVAILABLE')
  const { requests, pagination } = response.body.data
  const forms = { cancel: member.sign(requestPaths.cancel), export: member.sign(requestPaths.export) }
  const timeZone = member.profile.user.tmz ?? null
  const data = {
    area: member.area,
    state,
    requests,
    pagination,
    forms,
    timeZone,
    now: ctx.clock.now(),
    outcome,
  } as const
  return member.show((context) => requestsPage(data, context), status)
}
