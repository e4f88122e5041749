import { auditEvents } from '../../../../audit/events.ts'
import { AuditRoute, AuditSealsRoute } from '../../../../audit/schemas.ts'
import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { adminPages } from '../../../../ui/console/admin-visit.ts'
import type { FindParts } from '../../../../ui/console/console-part.ts'
import { call, type ResponseOf } from '../../../../ui/shared/api-route.ts'
import { readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { AuditPageRoute } from '../schemas.ts'
import { type AuditSearch, auditPath, auditQuery } from '../search.ts'
import { auditCountLimit, auditPage } from './view.ts'

export const auditPageRoutes =
  (parts: FindParts) =>
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = adminPages(ctx, http, auditPath)
    pages.get(auditPath, { schema: AuditPageRoute, config: readByAnyone }, async (member, request) => {
      const search: AuditSearch = request.query
      const wanted = await auditQuery(member, search)
      const data = {
        area: member.area,
        mayAct: member.can('audit:export'),
        found: wanted && (await find(member, wanted, search.page)),
        seals: await member.read(call(AuditSealsRoute)),
        search,
        events: auditEvents,
        parts: parts(),
        now: ctx.clock.now(),
        timeZone: member.profile.user.tmz,
      }
      return member.show((page) => auditPage(data, page))
    })
  }

/** Returns undefined if a filter is invalid. */
async function find(
  { api, read }: Pick<Parameters<typeof auditQuery>[0], 'api' | 'read'>,
  wanted: URLSearchParams,
  page: string | undefined,
): Promise<ResponseOf<typeof AuditRoute>['data'] | undefined> {
  const query = new URLSearchParams(wanted)
  query.set('page', /^[1-9]\d{0,5}$/.test(page ?? '') ? String(page) : '1')
  query.set('limit', '20')
  query.set('count_limit', String(auditCountLimit))
  const search = call(AuditRoute, { query })
  const response = await api(search)
  if (response.ok) return response.body.data
  return response.rejection.code === 'VALIDATION_ERROR' ? undefined : read(search)
}
