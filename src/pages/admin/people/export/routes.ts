import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/create-server.ts'
import { minute } from '../../../../lib/time.ts'
import { confirmPath } from '../../../flow/end-flow.ts'
import { readByAnyone } from '../../../shared/declare-pages.ts'
import { type AdminVisit, adminPages } from '../../shared/admin-visit.ts'
import { addressOf } from '../../shared/pager.ts'
import { apiQuery, type PeopleSearch } from '../list/search-fields.ts'
import { exportPageRoute } from '../schemas.ts'
import { peoplePath } from '../shared.ts'
import { exportPage } from './view.ts'

const path = `${peoplePath}/export`

/**
 * The browser loads the file from the API itself, so the page makes sure that the user has the recent proof that the
 * API will require.
 */
const margin = 2 * minute

export const exportRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const schema = exportPageRoute(ctx.modules.declaredFilters().map(({ name }) => name))
    const pages = adminPages(ctx, http, peoplePath)
    pages.get(path, { schema, config: readByAnyone }, async (member, { query }) => {
      const { done: outcome, ...search } = query as PeopleSearch
      if (outcome === undefined && (await needsProof(ctx, member)))
        return member.go(`${confirmPath}?next=${encodeURIComponent(addressOf(path, search))}`)
      const wanted = apiQuery(search, ctx.modules.userFilters())
      const { pagination } = await member.read<{ pagination: { total: number } }>(`/auth/users?${wanted}&limit=1`)
      const data = { area: member.area, total: pagination.total, query: wanted.toString() }
      return member.show((page) => exportPage(data, page))
    })
  }

async function needsProof({ clock, config }: Context, { api }: AdminVisit): Promise<boolean> {
  if (config.REAUTH_WINDOW === 0) return false
  const session = await api<{ authenticated_at: string }>({ method: 'GET', path: '/auth/session/current' })
  const provenAt = session.ok ? Date.parse(session.body.authenticated_at) : 0
  return clock.now() - provenAt > config.REAUTH_WINDOW - margin
}
