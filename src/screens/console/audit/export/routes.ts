import { AuditRoute } from '../../../../audit/schemas.ts'
import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { AppError } from '../../../../lib/errors.ts'
import { adminPages } from '../../../../ui/console/admin-visit.ts'
import { addressOf } from '../../../../ui/console/pager.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import { readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { addressToConfirm } from '../../shared/address-to-confirm.ts'
import { AuditExportPageRoute } from '../schemas.ts'
import { type AuditSearch, auditExportPath, auditPath, auditQuery } from '../search.ts'
import { auditExportPage } from './view.ts'

/** One more than the maximum number of events in a file. */
const countLimit = 100_001

export const auditExportPageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = adminPages(ctx, http, auditPath)
    pages.get(auditExportPath, { schema: AuditExportPageRoute, config: readByAnyone }, async (member, request) => {
      const { done: outcome, ...search } = request.query as AuditSearch & { done?: string }
      if (!member.can('audit:export')) throw new AppError('FORBIDDEN')
      const confirmation = addressToConfirm(ctx, member, addressOf(auditExportPath, search), outcome)
      if (confirmation) return member.go(confirmation)
      const wanted = await auditQuery(member, search)
      if (!wanted) throw new AppError('NOT_FOUND')
      const query = new URLSearchParams(wanted)
      query.set('limit', '1')
      query.set('count_limit', String(countLimit))
      const { pagination } = await member.read(call(AuditRoute, { query }))
      const isTooMany = pagination.total === countLimit
      const back = addressOf(auditPath, search)
      const data = { area: member.area, total: pagination.total, isTooMany, query: wanted.toString(), back }
      return member.show((page) => auditExportPage(data, page))
    })
  }
